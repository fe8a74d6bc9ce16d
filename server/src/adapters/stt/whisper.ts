// Whisper. POST /audio/transcriptions, as on any OpenAI-compatible server: one request per utterance, no partials.
import type { SttVendor } from '../../ports/vendor.ts'

export const whisper: SttVendor = {
  label: 'Whisper',
  host: 'api.openai.com',
  credentials: ['apiKey'],
  abilities: {
    streaming: false,
    ownEndpointing: false,
    eagerFinals: false,
    keyterms: false,
    wordTimes: true,
    languages: 'any',
  },
}
