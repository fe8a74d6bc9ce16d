// Gladia. POST /v2/live with `X-Gladia-Key` answers the address of a socket that is good for one session; the end by
// `stop_recording`. It acknowledges ranges of bytes: what is not acknowledged is sent again after a reconnection.
import type { SttVendor } from '../../ports/vendor.ts'

export const gladia: SttVendor = {
  label: 'Gladia',
  host: 'api.gladia.io',
  credentials: ['apiKey'],
  abilities: {
    streaming: true,
    ownEndpointing: true,
    eagerFinals: false,
    keyterms: true,
    wordTimes: true,
    languages: 'any',
  },
}
