// Smallest. wss /waves/v1/stt/live?model=pulse, Bearer. Final on demand: `{type: finalize}`.
import type { SttVendor } from '../../ports/vendor.ts'

export const smallest: SttVendor = {
  label: 'Smallest',
  host: 'api.smallest.ai',
  credentials: ['apiKey'],
  abilities: {
    streaming: true,
    ownEndpointing: true,
    eagerFinals: false,
    keyterms: false,
    wordTimes: true,
    languages: 'any',
  },
}
