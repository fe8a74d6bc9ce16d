// Dot products of one vector of bytes with many, sixteen at a time: a WebAssembly function of some twenty instructions.
//
// JavaScript has no vector instructions, and takes ten times as long. The function is assembled here instead of being
// compiled elsewhere, so that there is no binary that nobody can read:
//
//   dots(rows, row bytes, at, query, out): for every row, out[row] = Σ row[i] · query[i], as a 32-bit integer
//
// A row has a multiple of 16 bytes between -127 and 127: two products of such bytes fit into 16 bits.

const op = {
  block: 0x02,
  loop: 0x03,
  end: 0x0b,
  br: 0x0c,
  brIf: 0x0d,
  get: 0x20,
  set: 0x21,
  tee: 0x22,
  storeI32: 0x36,
  constI32: 0x41,
  eqz: 0x45,
  lessThan: 0x49,
  add: 0x6a,
  sub: 0x6b,
} as const
const vector = {
  load: [0xfd, 0x00, 0x04, 0x00],
  zero: [0xfd, 0x0c, ...Array<number>(16).fill(0)],
  timesLow: [0xfd, 0x9c, 0x01],
  timesHigh: [0xfd, 0x9d, 0x01],
  add16: [0xfd, 0x8e, 0x01],
  pairs: [0xfd, 0x7e],
  add32: [0xfd, 0xae, 0x01],
  lane: (number: number) => [0xfd, 0x1b, number],
} as const
const type = { i32: 0x7f, v128: 0x7b, function: 0x60, nothing: 0x40 } as const

// Parameters first, then local variables.
const local = { rows: 0, rowBytes: 1, at: 2, query: 3, out: 4, i: 5, sum: 6, a: 7, b: 8 } as const

const code = [
  // Two groups of locals: i (i32); sum, a, b (v128).
  ...[2, 1, type.i32, 3, type.v128],
  ...[op.block, type.nothing, op.loop, type.nothing],
  ...[op.get, local.rows, op.eqz, op.brIf, 1],
  ...[...vector.zero, op.set, local.sum, op.constI32, 0, op.set, local.i],
  ...[op.loop, type.nothing],
  ...[op.get, local.at, op.get, local.i, op.add, ...vector.load, op.tee, local.a],
  ...[op.get, local.query, op.get, local.i, op.add, ...vector.load, op.tee, local.b],
  ...[...vector.timesLow, op.get, local.a, op.get, local.b, ...vector.timesHigh, ...vector.add16],
  ...[...vector.pairs, op.get, local.sum, ...vector.add32, op.set, local.sum],
  ...[op.get, local.i, op.constI32, 16, op.add, op.tee, local.i],
  ...[op.get, local.rowBytes, op.lessThan, op.brIf, 0, op.end],
  ...[op.get, local.out],
  ...[op.get, local.sum, ...vector.lane(0), op.get, local.sum, ...vector.lane(1), op.add],
  ...[op.get, local.sum, ...vector.lane(2), op.add, op.get, local.sum, ...vector.lane(3), op.add],
  ...[op.storeI32, 0x02, 0x00],
  ...[op.get, local.out, op.constI32, 4, op.add, op.set, local.out],
  ...[op.get, local.at, op.get, local.rowBytes, op.add, op.set, local.at],
  ...[op.get, local.rows, op.constI32, 1, op.sub, op.set, local.rows],
  ...[op.br, 0, op.end, op.end, op.end],
]

const utf8 = (text: string): number[] => [text.length, ...Buffer.from(text)]
/** LEB128: unsigned, seven bits a byte. */
const leb = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb(value >>> 7)]
const section = (id: number, content: readonly number[]) => [id, ...leb(content.length), ...content]
const mostPages = 65_536

const bytes = new Uint8Array([
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...section(1, [1, type.function, 5, ...Array<number>(5).fill(type.i32), 0]),
  // The memory is imported.
  ...section(2, [1, ...utf8('env'), ...utf8('memory'), 0x02, 0x01, ...leb(0), ...leb(mostPages)]),
  ...section(3, [1, 0]),
  ...section(7, [1, ...utf8('dots'), 0x00, 0]),
  ...section(10, [1, ...leb(code.length), ...code]),
])

export type Dots = (rows: number, rowBytes: number, at: number, query: number, out: number) => void

const module = new WebAssembly.Module(bytes)

/** Compiles the function over this memory, which has at most 4 GB. */
export function dotsIn(memory: WebAssembly.Memory): Dots {
  const { exports } = new WebAssembly.Instance(module, { env: { memory } })
  return exports.dots as Dots
}

export const pageBytes = 65_536
export const newMemory = (): WebAssembly.Memory => new WebAssembly.Memory({ initial: 0, maximum: mostPages })
