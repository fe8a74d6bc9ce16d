// The few parts of Protocol Buffers that our requests need: a message is a list of fields, each a number and a value.
//
//   field = varint (number << 3 | type), value;   type 0: varint, 1: eight bytes, 2: varint length and that many bytes

/** In a list, of repeated fields. Values that are undefined are left out. */
export type Fields = readonly (readonly [number: number, value: FieldValue | undefined])[]

/** A number is an integer or an enum; `{ double }` is what it says. */
export type FieldValue = string | number | boolean | Uint8Array | { readonly double: number }

const kind = { varint: 0, eightBytes: 1, bytes: 2, fourBytes: 5 } as const

export function encodeMessage(fields: Fields): Buffer {
  return Buffer.concat(
    fields.flatMap(([number, value]) => (value === undefined ? [] : encodeField(number, value))),
  )
}

function encodeField(number: number, value: FieldValue): readonly Buffer[] {
  if (typeof value === 'number' || typeof value === 'boolean')
    return [varint((number << 3) | kind.varint), varint(Number(value))]
  if (typeof value === 'object' && 'double' in value) {
    const bytes = Buffer.alloc(8)
    bytes.writeDoubleLE(value.double)
    return [varint((number << 3) | kind.eightBytes), bytes]
  }
  const bytes = Buffer.from(value as string & Uint8Array)
  return [varint((number << 3) | kind.bytes), varint(bytes.length), bytes]
}

/** Not negative, at most 32 bits. */
function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest & 0x7f) | 0x80)
  bytes.push(rest)
  return Buffer.from(bytes)
}

export interface Field {
  readonly number: number
  /** An integer if it is a number, otherwise the bytes as they came. */
  readonly value: number | Buffer
}

/** Every field, in its order; throws if the message is cut off. */
export function decodeMessage(bytes: Uint8Array): readonly Field[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const fields: Field[] = []
  let at = 0
  const readVarint = (): number => {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = buffer[at++]
      if (byte === undefined) throw new RangeError('a message is cut off')
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
    }
  }
  const take = (length: number): Buffer => {
    if (at + length > buffer.length) throw new RangeError('a message is cut off')
    at += length
    return buffer.subarray(at - length, at)
  }
  while (at < buffer.length) {
    const tag = readVarint()
    const type = tag & 7
    const number = Math.floor(tag / 8)
    if (type === kind.varint) fields.push({ number, value: readVarint() })
    else if (type === kind.bytes) fields.push({ number, value: take(readVarint()) })
    else if (type === kind.eightBytes) fields.push({ number, value: take(8) })
    else if (type === kind.fourBytes) fields.push({ number, value: take(4) })
    else throw new RangeError(`a field of the unknown type ${type}`)
  }
  return fields
}
