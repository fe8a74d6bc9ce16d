// OpenAI. wss /v1/realtime with a session of type transcription. Final on demand: `input_audio_buffer.commit`, with
// `turn_detection: null`. Audio at 24 kHz only.
import type { SttVendor } from '../../ports/vendor.ts'

export const openai: SttVendor = {
  label: 'OpenAI',
  host: 'api.openai.com',
  credentials: ['apiKey'],
  abilities: {
    streaming: true,
    ownEndpointing: true,
    eagerFinals: false,
    keyterms: false,
    wordTimes: false,
    languages: 'any',
  },
}
