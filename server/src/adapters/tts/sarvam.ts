// Sarvam. wss /text-to-speech/ws, `api-subscription-key`. config, then text, flush and ping; an interruption is a new connection.
import type { TtsVendor } from '../../ports/vendor.ts'

export const sarvam: TtsVendor = {
  label: 'Sarvam',
  host: 'api.sarvam.ai',
  credentials: ['apiKey'],
  abilities: {
    streaming: true,
    clauseEnds: true,
    wordTimes: false,
    languages: ['hi', 'bn', 'gu', 'kn', 'ml', 'mr', 'or', 'pa', 'ta', 'te', 'en'],
  },
}
