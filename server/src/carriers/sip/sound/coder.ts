// Coders turn the samples of one call into payloads and back. Each codec has one.
import type { PacketDecoder } from '../../../media/coded-packets.ts'

/** A coder works in both directions of one call, and keeps the state of each between packets. */
export interface Coder {
  /** Writes into `payload` from `at` on; returns the number of bytes. */
  encode(samples: Int16Array, payload: Uint8Array, at: number): number
  readonly decoder: PacketDecoder
  /** Follows what the far end asks for in its fmtp line. */
  configure?(parameters: string | null): void
  /** Adapts to the share of our packets that the far end reports as lost. */
  expectLoss?(share: number): void
  close?(): void
}
