// Sarvam. wss /speech-to-text-realtime/ws, `api-subscription-key`. Audio in base64; speech_start, speech_end and end events; ping.
import type { SttVendor } from '../../ports/vendor.ts'

export const sarvam: SttVendor = {
  label: 'Sarvam',
  host: 'api.sarvam.ai',
  credentials: ['apiKey'],
  abilities: {
    streaming: true,
    ownEndpointing: true,
    eagerFinals: false,
    keyterms: false,
    wordTimes: false,
    languages: ['hi', 'bn', 'gu', 'kn', 'ml', 'mr', 'or', 'pa', 'ta', 'te', 'en'],
  },
}
