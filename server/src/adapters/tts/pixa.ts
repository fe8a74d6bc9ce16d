// Pixa. wss /api/v1/ws/synthesize, Bearer. config, then text with `is_final`; an interruption is `{type: cancel, context_id}`.
// PCM at 32 kHz.
import type { TtsVendor } from '../../ports/vendor.ts'

export const pixa: TtsVendor = {
  label: 'Pixa',
  host: 'hindi.heypixa.ai',
  credentials: ['apiKey'],
  abilities: {
    streaming: true,
    clauseEnds: false,
    wordTimes: false,
    languages: ['hi'],
  },
}
