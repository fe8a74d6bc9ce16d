// The port for decoding audio files of unknown origin.

/** The reason is one sentence for the user who sent the file. */
export type SoundRefusal = { readonly ok: false; readonly reason: string }

export type SoundFacts =
  | {
      readonly ok: true
      /** By content: audio/mpeg, video/mp4 … */
      readonly mediaType: string
      /** Null: the file does not say. It may also be wrong; decoding does not rely on it. */
      readonly durationSeconds: number | null
    }
  | SoundRefusal

export type DecodeResult = { readonly ok: true; readonly durationSeconds: number } | SoundRefusal

export interface SoundDecoder {
  /** Inspects without decoding. */
  inspect(file: string, signal: AbortSignal): Promise<SoundFacts>
  /** Writes 16 kHz, mono, 16 bit, little-endian, without a header. Throws only for faults of ours, or when aborted. */
  decode(file: string, pcmFile: string, signal: AbortSignal): Promise<DecodeResult>
}
