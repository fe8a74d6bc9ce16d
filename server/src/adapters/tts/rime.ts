// Rime. wss /ws3, Bearer. Operations flush, eos, and clear for an interruption; contextId; word timestamps.
import type { TtsVendor } from '../../ports/vendor.ts'

export const rime: TtsVendor = {
  label: 'Rime',
  host: 'users-ws.rime.ai',
  credentials: ['apiKey'],
  abilities: {
    streaming: true,
    clauseEnds: false,
    wordTimes: true,
    languages: ['en', 'es', 'fr', 'de', 'hi'],
  },
}
