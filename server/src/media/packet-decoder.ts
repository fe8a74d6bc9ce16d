// What turns the payload of a packet into samples, for codecs whose packets build on each other.

export interface PacketDecoder {
  /** How many samples the payload holds; 0: it is none. */
  samplesIn(payload: Uint8Array, start: number, end: number): number
  /** In the order of the stream. The samples are in a buffer that the next call reuses; none if the payload is broken. */
  decode(payload: Uint8Array, start: number, end: number): Int16Array
  /** The packet before this one, which was lost, from what this one repeats of it. */
  recover?(payload: Uint8Array, start: number, end: number, samples: number): Int16Array
  /** So many samples were lost and nothing repeats them. */
  conceal?(samples: number): Int16Array
}
