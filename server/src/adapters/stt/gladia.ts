// Gladia. POST /v2/live with `X-Gladia-Key` returns the URL of a socket that is valid for one session; end:
// `stop_recording`. It acknowledges byte ranges: what is not acknowledged is sent again after a reconnection.
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
