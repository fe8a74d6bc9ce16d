// Deepgram. wss /v1/listen, `Authorization: Token`. A final on demand by `Finalize`, answered with `from_finalize`; the end by
// `CloseStream`. It hangs up after ten idle seconds without a `KeepAlive`. Flux: `EagerEndOfTurn`, taken back by `TurnResumed`.
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
