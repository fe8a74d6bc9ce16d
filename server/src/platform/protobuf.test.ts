import { expect, it } from 'vitest'
import { encodeMessage, messageField, numbersIn, readFields, textOf, writeFields } from './protobuf.ts'

it('writes values as their kinds are written', () => {
  expect(Buffer.from(encodeMessage({ 1: 'ab', 2: 300, 3: true, 4: undefined })).toString('hex')).toBe(
    '0a02616210ac021801',
  )
  expect(Buffer.from(encodeMessage({ 1: { double: 1 } })).toString('hex')).toBe('09000000000000f03f')
})

it('reads what it writes, message within message', () => {
  const message = writeFields([messageField(6, readFields(encodeMessage({ 1: 'word' })))])
  const [field] = readFields(message)
  expect(field?.number).toBe(6)
  expect(textOf(readFields(field?.value as Uint8Array), 1)).toBe('word')
})

it('reads several numbers in one field, and refuses what is cut off', () => {
  expect(numbersIn(Uint8Array.of(1, 0xac, 0x02))).toEqual([1, 300])
  expect(() => readFields(Uint8Array.of(0x0a, 5, 1))).toThrow('damaged')
  expect(() => readFields(Uint8Array.of(0x80))).toThrow('in the middle')
})
