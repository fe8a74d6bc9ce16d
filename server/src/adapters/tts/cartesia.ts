// Cartesia. wss /tts/websocket, `X-API-Key` and `Cartesia-Version`. `continue` per context, flush_done, word_timestamps; an
// interruption is `cancel: true`. No keep-alive: it closes after five idle minutes.
import type { TtsVendor } from '../../ports/vendor.ts'

export const cartesia: TtsVendor = {
  label: 'Cartesia',
  host: 'api.cartesia.ai',
  credentials: ['apiKey'],
  abilities: {
    streaming: true,
    clauseEnds: true,
    wordTimes: true,
    languages: 'any',
  },
}
