// OpenAI. POST /v1/audio/speech with `response_format: pcm`: always 24 kHz. An interruption aborts the request.
import type { TtsVendor } from '../../ports/vendor.ts'

export const openai: TtsVendor = {
  label: 'OpenAI',
  host: 'api.openai.com',
  credentials: ['apiKey'],
  abilities: {
    streaming: false,
    clauseEnds: true,
    wordTimes: false,
    languages: 'any',
  },
}
