// The port for decoding audio files of unknown origin.

/** A refusal; the reason is one sentence for the user who sent the file. */
export type SoundRefusal = { readonly ok: false; readonly reason: string }

export type SoundFacts =
  | {
      readonly ok: true
      /** The type by content: audio/mpeg, video/mp4 … */
      readonly mediaType: string
      /** The duration by the file itself; null: it does not say. It may be wrong; decoding does not rely on it. */
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
