// Google. gRPC streaming_synthesize with Chirp 3 HD voices; an interruption cancels the stream. REST does not stream.
import type { TtsVendor } from '../../ports/vendor.ts'

export const google: TtsVendor = {
  label: 'Google',
  host: 'texttospeech.googleapis.com',
  credentials: ['serviceAccount'],
  abilities: {
    streaming: true,
    clauseEnds: false,
    wordTimes: false,
    languages: 'any',
  },
}
