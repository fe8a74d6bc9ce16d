// What a codec does to the audio of a simulated line: G.711 is encoded and decoded, L16 passes through.
import { decodeG711, encodeG711, type Law } from '../../media/g711.ts'
import type { Codec } from '../../ports/line.ts'

export const simulatedCodecs = ['L16', 'PCMU', 'PCMA'] as const
export type SimulatedCodec = (typeof simulatedCodecs)[number]

const laws: Readonly<Record<SimulatedCodec, Law | null>> = { L16: null, PCMU: 'mu', PCMA: 'a' }

export class LineCodec {
  readonly #rateHz: number
  readonly #bytes: Uint8Array
  #name: SimulatedCodec

  constructor(name: SimulatedCodec, rateHz: number, frameSamples: number) {
    this.#name = name
    this.#rateHz = rateHz
    this.#bytes = new Uint8Array(frameSamples)
  }

  use(name: SimulatedCodec): void {
    this.#name = name
  }

  get current(): Codec {
    return { name: this.#name, rateHz: this.#rateHz }
  }

  /** Encodes and decodes the samples in place. */
  pass(samples: Int16Array): void {
    const law = laws[this.#name]
    if (law === null) return
    encodeG711(law, samples, this.#bytes)
    decodeG711(law, this.#bytes, samples)
  }
}
