// Reading and writing ONNX files.
import fc from 'fast-check'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { expect, it } from 'vitest'
import { chainModel } from './chain.ts'
import { bytesField, numberField, readFields, textField, textOf, writeFields } from './protobuf.ts'

it('fields survive a round trip', () => {
  const field = fc.oneof(
    fc
      .record({ number: fc.integer({ min: 1, max: 500 }), value: fc.nat() })
      .map((f) => numberField(f.number, f.value)),
    fc
      .record({ number: fc.integer({ min: 1, max: 500 }), value: fc.uint8Array() })
      .map((f) => bytesField(f.number, f.value)),
  )
  fc.assert(
    fc.property(fc.array(field), (fields) => {
      const again = readFields(writeFields(fields))
      expect(
        again.map(({ number, value }) => [number, typeof value === 'bigint' ? value : [...value]]),
      ).toEqual(fields.map(({ number, value }) => [number, typeof value === 'bigint' ? value : [...value]]))
    }),
  )
})

it('finds a text by its field number', () => {
  expect(textOf([textField(3, 'drei'), textField(4, 'vier')], 4)).toBe('vier')
  expect(textOf([], 4)).toBe('')
})

it.each([
  ['a length beyond the end', [0x0a, 0x05, 0x01]],
  ['an unterminated varint', [0x08, 0xff]],
  ['an unknown wire type', [0x0b]],
])('%s is an error', (_, bytes) => {
  expect(() => readFields(Uint8Array.from(bytes))).toThrow()
})

it('a chain of layers computes the expected output', async () => {
  const session = await InferenceSession.create(
    chainModel([
      // The sum of two frames two apart, plus one.
      {
        inputs: 1,
        outputs: 1,
        taps: 2,
        spacing: 2,
        weights: Float32Array.of(1, 1),
        biases: Float32Array.of(1),
      },
      {
        inputs: 1,
        outputs: 2,
        taps: 1,
        spacing: 1,
        weights: Float32Array.of(1, -1),
        biases: Float32Array.of(0, 5),
      },
    ]),
  )
  const { outputs } = await session.run({
    frames: new Tensor('float32', Float32Array.of(1, 2, 3, 4), [1, 1, 4]),
  })
  expect(outputs?.dims).toEqual([1, 2, 2])
  expect(outputs?.data).toEqual(Float32Array.of(5, 7, 0, 0))
  await session.release()
})
