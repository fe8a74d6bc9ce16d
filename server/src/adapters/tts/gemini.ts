// Gemini. gRPC streaming_synthesize with Gemini model names; always 24 kHz. An interruption cancels the stream.
import type { TtsVendor } from '../../ports/vendor.ts'

export const gemini: TtsVendor = {
  label: 'Gemini',
  host: 'texttospeech.googleapis.com',
  credentials: ['serviceAccount'],
  abilities: {
    streaming: true,
    clauseEnds: false,
    wordTimes: false,
    languages: 'any',
  },
}
