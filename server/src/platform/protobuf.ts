// Fields of Protocol Buffers, as far as ONNX files and Google's calls need them: a message is a list of fields.
//
//   field = varint (number × 8 + wire), value · wire 0: a varint · wire 1: 8 bytes · wire 2: length, bytes · wire 5: 4 bytes

/** A number, or bytes: text, an embedded message or floats, which the reader must know. */
export interface Field {
  readonly number: number
  readonly wire: 0 | 1 | 2 | 5
  readonly value: bigint | Uint8Array
}

const fixedBytes: Readonly<Record<number, number>> = { 1: 8, 5: 4 }

/** Views into the message; nothing is copied. */
export function readFields(message: Uint8Array): Field[] {
  const fields: Field[] = []
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++]
      if (byte === undefined) throw new Error('the message ends in the middle of a number')
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return value
    }
  }
  while (at < message.length) {
    const key = Number(varint())
    const wire = (key & 7) as Field['wire']
    if (wire === 0) {
      fields.push({ number: key >> 3, wire, value: varint() })
      continue
    }
    const bytes = wire === 2 ? Number(varint()) : fixedBytes[wire]
    if (bytes === undefined || at + bytes > message.length) throw new Error('the message is damaged')
    fields.push({ number: key >> 3, wire, value: message.subarray(at, at + bytes) })
    at += bytes
  }
  return fields
}

/** Reads a field of one number, or of several in one. */
export function numbersIn(value: Field['value']): number[] {
  if (typeof value === 'bigint') return [Number(value)]
  const numbers: number[] = []
  let [number, scale] = [0, 1]
  for (const byte of value) {
    number += (byte & 127) * scale
    scale *= 128
    if (byte >= 128) continue
    numbers.push(number)
    number = 0
    scale = 1
  }
  return numbers
}

export function writeFields(fields: readonly Field[]): Buffer {
  const parts = fields.flatMap(({ number, wire, value }) => {
    const key = varintBytes(BigInt(number * 8 + wire))
    if (typeof value === 'bigint') return [key, varintBytes(value)]
    return wire === 2 ? [key, varintBytes(BigInt(value.length)), value] : [key, value]
  })
  return Buffer.concat(parts)
}

/** A number is an integer or an enum; `{ double }` is what it says. */
export type FieldValue = string | number | boolean | Uint8Array | { readonly double: number }

/** Values by the numbers of their fields, in whose order they are written; a list is a field that is repeated. */
export type FieldRows = Readonly<Record<number, FieldValue | readonly FieldValue[] | undefined>>

/** Values that are undefined are left out. */
export const encodeMessage = (rows: FieldRows): Buffer =>
  writeFields(
    Object.entries(rows).flatMap(([number, value = []]) =>
      [value].flat().map((one: FieldValue) => fieldOf(Number(number), one)),
    ),
  )

function fieldOf(number: number, value: FieldValue): Field {
  if (typeof value === 'string') return textField(number, value)
  if (value instanceof Uint8Array) return bytesField(number, value)
  if (typeof value !== 'object') return numberField(number, Number(value))
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value.double)
  return { number, wire: 1, value: bytes }
}

export const numberField = (number: number, value: number): Field => ({
  number,
  wire: 0,
  value: BigInt.asUintN(64, BigInt(value)),
})
export const bytesField = (number: number, value: Uint8Array): Field => ({ number, wire: 2, value })
export const textField = (number: number, text: string): Field => bytesField(number, Buffer.from(text))
export const messageField = (number: number, fields: readonly Field[]): Field =>
  bytesField(number, writeFields(fields))

/** The same fields, with the messages of this number transformed. */
export const changed = (
  fields: readonly Field[],
  number: number,
  change: (message: readonly Field[]) => readonly Field[],
): readonly Field[] =>
  fields.map((field) =>
    field.number === number && field.value instanceof Uint8Array
      ? messageField(number, change(readFields(field.value)))
      : field,
  )

export const textOf = (fields: readonly Field[], number: number): string => {
  const value = fields.find((field) => field.number === number)?.value
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : ''
}

function varintBytes(value: bigint): Uint8Array {
  const bytes: number[] = []
  for (let rest = value; ; rest >>= 7n) {
    if (rest < 128n) return Uint8Array.from([...bytes, Number(rest)])
    bytes.push(Number(rest & 127n) | 128)
  }
}
