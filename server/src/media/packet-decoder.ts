// Decodes the payloads of packets into samples, for codecs whose packets build on each other.

export interface PacketDecoder {
  /** The number of samples that the payload holds; 0: it holds none. */
  samplesIn(payload: Uint8Array, start: number, end: number): number
  /**
   * Decodes the next packet of the stream. The samples are in a buffer that the next call reuses; none if the payload
   * is broken.
   */
  decode(payload: Uint8Array, start: number, end: number): Int16Array
  /** Decodes the packet before this one, which was lost, from what this one repeats of it. */
  recover?(payload: Uint8Array, start: number, end: number, samples: number): Int16Array
  /** Makes samples in place of lost ones that no packet repeats. */
  conceal?(samples: number): Int16Array
}
