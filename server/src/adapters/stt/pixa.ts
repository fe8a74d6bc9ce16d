// Pixa. wss /v1/listen, `X-Pixa-Key: Bearer`. Messages as in Deepgram: `Finalize`, `CloseStream`. Hindi only.
import type { SttVendor } from '../../ports/vendor.ts'

export const pixa: SttVendor = {
  label: 'Pixa',
  host: 'transcript.heypixa.ai',
  credentials: ['apiKey'],
  abilities: {
    streaming: true,
    ownEndpointing: true,
    eagerFinals: false,
    keyterms: false,
    wordTimes: false,
    languages: ['hi'],
  },
}
