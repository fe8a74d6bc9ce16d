// Reading and writing ONNX files.
import fc from 'fast-check'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { expect, it } from 'vitest'
import {
  bytesField,
  messageField,
  numberField,
  readFields,
  textField,
  textOf,
  writeFields,
} from '../../platform/protobuf.ts'
import { withAnyWindow } from './any-window.ts'
import { chainModel } from './chain.ts'

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

/** sum = frames + embed_positions.weight, declared for three frames of one value. */
const fixedEncoder = () => {
  const floats = (...values: number[]) => new Uint8Array(Float32Array.from(values).buffer)
  const dims = (...sizes: (number | string)[]) =>
    messageField(
      2,
      sizes.map((size) =>
        messageField(1, [typeof size === 'number' ? numberField(1, size) : textField(2, size)]),
      ),
    )
  const value = (name: string, ...sizes: (number | string)[]) => [
    textField(1, name),
    messageField(2, [messageField(1, [numberField(1, 1), dims(...sizes)])]),
  ]
  const node = (operator: string, inputs: string[], output: string) =>
    messageField(1, [
      ...inputs.map((name) => textField(1, name)),
      textField(2, output),
      textField(4, operator),
    ])
  const graph = [
    node('Identity', ['frames'], 'inner'),
    node('Add', ['inner', 'embed_positions.weight'], 'last_hidden_state'),
    textField(2, 'encoder'),
    messageField(5, [
      numberField(1, 3),
      numberField(1, 1),
      numberField(2, 1),
      textField(8, 'embed_positions.weight'),
      bytesField(9, floats(10, 20, 30)),
    ]),
    messageField(11, value('frames', 1, 'time', 1)),
    messageField(12, value('last_hidden_state', 1, 'time', 1)),
    messageField(12, value('inner', 1, 3, 1)),
    messageField(13, value('inner', 1, 3, 1)),
  ]
  return writeFields([
    numberField(1, 8),
    messageField(7, graph),
    messageField(8, [textField(1, ''), numberField(2, 13)]),
  ])
}

it('an encoder with a fixed number of positions accepts a shorter window', async () => {
  const run = async (model: Uint8Array) => {
    const session = await InferenceSession.create(model)
    const { last_hidden_state: sum } = await session.run({ frames: new Tensor('float32', [1, 2], [1, 2, 1]) })
    return Array.from((sum?.data ?? []) as Float32Array)
  }
  await expect(run(fixedEncoder())).rejects.toThrow()
  expect(await run(withAnyWindow(fixedEncoder()))).toEqual([11, 22])
})

it('a model without positions is refused', () => {
  expect(() => withAnyWindow(chainModel([]))).toThrow('this encoder has no table of positions')
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
