// A decoder of one product, as the exporter writes it, scores its tokens with integers.
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { expect, it } from 'vitest'
import {
  bytesField,
  messageField,
  numberField,
  readFields,
  textField,
  writeFields,
} from '../../platform/protobuf.ts'
import { byte, constantField, graphNode, graphOutput, node, operatorOf } from './graph.ts'
import { withInt8Head } from './int8-head.ts'

const [tokens, width] = [5, 64]
const [scale, zero] = [0.02, 107]
const matrix = Uint8Array.from({ length: tokens * width }, (_, i) => (i * 37) % 256)
const hidden = Float32Array.from({ length: width }, (_, i) => Math.sin(i))
const scores = Array.from({ length: tokens }, (_, token) =>
  hidden.reduce((sum, x, i) => sum + x * scale * ((matrix[token * width + i] as number) - zero), 0),
)

const [graphType, booleanType, floatType] = [5, 9, 1]

function decoder(): Uint8Array {
  const value = (number: number, name: string, type: number, ...dims: number[]) =>
    messageField(number, [
      textField(1, name),
      messageField(2, [
        messageField(1, [
          numberField(1, type),
          messageField(
            2,
            dims.map((dim) => messageField(1, [numberField(1, dim)])),
          ),
        ]),
      ]),
    ])
  const branch = [
    node('Transpose', ['matrix'], 'turned'),
    node('DequantizeLinear', ['turned', 'scale', 'zero'], 'widened'),
    node('MatMul', ['hidden', 'widened'], 'logits'),
    textField(2, 'branch'),
    messageField(graphOutput, [textField(1, 'logits')]),
  ]
  const attribute = (name: string) =>
    messageField(5, [textField(1, name), messageField(6, branch), numberField(20, graphType)])
  const choice = messageField(graphNode, [
    textField(1, 'use_cache_branch'),
    textField(2, 'logits'),
    textField(4, 'If'),
    attribute('then_branch'),
    attribute('else_branch'),
  ])
  const floats = new Uint8Array(Float32Array.of(scale).buffer)
  const graph = [
    choice,
    textField(2, 'decoder'),
    constantField({ name: 'matrix', type: byte, dims: [tokens, width], bytes: matrix }),
    // As the exporter stores them: one number, not as bytes.
    messageField(5, [numberField(2, floatType), bytesField(4, floats), textField(8, 'scale')]),
    messageField(5, [numberField(2, byte), bytesField(5, Uint8Array.of(zero)), textField(8, 'zero')]),
    value(11, 'hidden', floatType, 1, width),
    value(11, 'use_cache_branch', booleanType),
    value(12, 'logits', floatType, 1, tokens),
  ]
  const operators = messageField(8, [textField(1, ''), numberField(2, 13)])
  return writeFields([numberField(1, 8), messageField(7, graph), operators])
}

it.each([true, false])('scores the tokens as before, in the branch for use_cache %s', async (cached) => {
  const run = async (model: Uint8Array) => {
    const session = await InferenceSession.create(model)
    const { logits } = await session.run({
      hidden: new Tensor('float32', hidden, [1, width]),
      use_cache_branch: new Tensor('bool', [cached], []),
    })
    await session.release()
    return Array.from(logits?.data as Float32Array)
  }
  const given = await run(withInt8Head(decoder()))
  expect(given).toHaveLength(tokens)
  for (const [token, score] of given.entries()) expect(score).toBeCloseTo(scores[token] as number, 0)
})

it('leaves no product with floats behind', () => {
  const graph = readFields(
    readFields(withInt8Head(decoder())).find(({ number }) => number === 7)?.value as Uint8Array,
  )
  const choice = graph.find((field) => field.number === graphNode)
  const branches = readFields(choice?.value as Uint8Array)
    .filter(({ number }) => number === 5)
    .map(
      ({ value }) => readFields(value as Uint8Array).find(({ number }) => number === 6)?.value as Uint8Array,
    )
  for (const branch of branches)
    expect(
      readFields(branch)
        .filter(({ number }) => number === graphNode)
        .map(operatorOf),
    ).toEqual(['MatMulNBits'])
})

it('a decoder of another make is refused', () => {
  const other = writeFields(
    readFields(decoder()).map((field) =>
      field.number === 7
        ? messageField(
            7,
            readFields(field.value as Uint8Array).filter(({ number }) => number !== 5),
          )
        : field,
    ),
  )
  expect(() => withInt8Head(other)).toThrow('the decoder has no constant matrix')
})
