// Deepgram. wss /v1/speak, `Authorization: Token`. `Speak`, `Flush` answered with `Flushed`; an interruption is `Clear`, answered
// with `Cleared`: audio carries no context, so what comes in between is dropped.
import type { TtsVendor } from '../../ports/vendor.ts'

export const deepgram: TtsVendor = {
  label: 'Deepgram',
  host: 'api.deepgram.com',
  credentials: ['apiKey'],
  abilities: {
    streaming: true,
    clauseEnds: true,
    wordTimes: false,
    languages: ['en', 'es', 'de', 'fr', 'nl', 'it', 'ja'],
  },
}
