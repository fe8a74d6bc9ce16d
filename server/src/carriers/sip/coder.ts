// What turns the samples of one call into payloads and back; one for each codec.
import type { PacketDecoder } from '../../media/coded-packets.ts'

/** Both directions of one call; each keeps its state between packets. */
export interface Coder {
  /** Writes into `payload` from `at` on; returns how many bytes. */
  encode(samples: Int16Array, payload: Uint8Array, at: number): number
  readonly decoder: PacketDecoder
  /** What the far end asks for in its fmtp line. */
  configure?(parameters: string | null): void
  /** How much of what we send is lost, as the far end reports it. */
  expectLoss?(share: number): void
  close?(): void
}
