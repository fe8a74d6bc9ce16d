// Smallest. wss /waves/v1/tts/live, Bearer. It cannot be interrupted: audio is dropped by request_id. A text of one space every 30 s
// keeps it alive; word times restart with each request_id.
import type { TtsVendor } from '../../ports/vendor.ts'

export const smallest: TtsVendor = {
  label: 'Smallest',
  host: 'api.smallest.ai',
  credentials: ['apiKey'],
  abilities: {
    streaming: true,
    clauseEnds: false,
    wordTimes: true,
    languages: 'any',
  },
}
