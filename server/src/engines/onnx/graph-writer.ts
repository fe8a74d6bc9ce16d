// Writes an ONNX model node by node. A node is written as an expression, which returns the name of its output.
import { type Field, messageField, numberField, textField, writeFields } from '../../platform/protobuf.ts'
import {
  bytesOf,
  constantField,
  float,
  framesValue,
  graphInput,
  graphOutput,
  integerList,
  modelGraph,
  node,
  operatorSet,
} from './graph.ts'

// Versions of the file and of the operators.
const fileVersion = 8
const operatorVersion = 17

/** An input: the name of a value, or a number that becomes a constant. */
type Input = string | number

interface Slice {
  readonly axis: number
  readonly from: number
  readonly to?: number
  readonly step?: number
}

// An index beyond any length.
const toTheEnd = Number.MAX_SAFE_INTEGER

export class GraphWriter {
  readonly #nodes: Field[] = []
  readonly #values: Field[] = []
  #names = 0

  /** Adds an input of floats [1, any number of frames], or [1, any number of frames, width]. */
  input(name: string, width?: number): string {
    this.#values.push(framesValue(graphInput, name, width))
    return name
  }

  /** Makes a value an output of the model, under this name. */
  output(name: string, value: string): void {
    this.#nodes.push(node('Identity', [value], name))
    this.#values.push(framesValue(graphOutput, name))
  }

  node(
    operator: string,
    inputs: readonly Input[],
    attributes: Readonly<Record<string, number | readonly number[]>> = {},
  ): string {
    const output = this.#name()
    const names = inputs.map((input) =>
      typeof input === 'number' ? this.floats([], Float32Array.of(input)) : input,
    )
    this.#nodes.push(node(operator, names, output, attributes))
    return output
  }

  floats(dims: readonly number[], values: Float32Array): string {
    const name = this.#name()
    this.#values.push(constantField({ name, type: float, dims, bytes: bytesOf(values) }))
    return name
  }

  integers(...values: readonly number[]): string {
    const name = this.#name()
    this.#values.push(integerList(name, values.map(BigInt)))
    return name
  }

  reshape(value: string, ...dims: readonly number[]): string {
    return this.node('Reshape', [value, this.integers(...dims)])
  }

  /** Adds a slice. `to` is exclusive; both bounds count from the end if they are negative. */
  slice(value: string, { axis, from, to = toTheEnd, step = 1 }: Slice): string {
    return this.node('Slice', [value, ...[from, to, axis, step].map((number) => this.integers(number))])
  }

  model(): Uint8Array {
    return writeFields([
      numberField(1, fileVersion),
      messageField(modelGraph, [...this.#nodes, textField(2, 'graph'), ...this.#values]),
      operatorSet('', operatorVersion),
    ])
  }

  #name(): string {
    return `value.${++this.#names}`
  }
}
