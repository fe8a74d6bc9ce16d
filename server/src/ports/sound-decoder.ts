// What the speech-to-text service asks of whatever reads files of sound of unknown origin.

/** The reason is one sentence for whoever sent the file. */
export type SoundRefusal = { readonly ok: false; readonly reason: string }

export type SoundFacts =
  | {
      readonly ok: true
      /** By the content: audio/mpeg, video/mp4 … */
      readonly mediaType: string
      /** Null: the file does not say. It may also lie; decoding believes nothing. */
      readonly durationSeconds: number | null
    }
  | SoundRefusal

export type Decoded = { readonly ok: true; readonly durationSeconds: number } | SoundRefusal

export interface SoundDecoder {
  /** Looks without decoding. */
  inspect(file: string, signal: AbortSignal): Promise<SoundFacts>
  /** Writes 16 kHz, mono, 16 bit, little-endian, without a header. Throws only for faults of ours, or when aborted. */
  decode(file: string, pcmFile: string, signal: AbortSignal): Promise<Decoded>
}
