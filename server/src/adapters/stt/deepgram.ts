// Deepgram. wss /v1/listen, `Authorization: Token`. Final on demand: `Finalize`, answered with `from_finalize`; end:
// `CloseStream`. It closes after ten idle seconds without a `KeepAlive`. Flux: `EagerEndOfTurn`, retracted by `TurnResumed`.
import type { SttVendor } from '../../ports/vendor.ts'

export const deepgram: SttVendor = {
  label: 'Deepgram',
  host: 'api.deepgram.com',
  credentials: ['apiKey'],
  abilities: {
    streaming: true,
    ownEndpointing: true,
    eagerFinals: true,
    keyterms: true,
    wordTimes: true,
    languages: 'any',
  },
}
