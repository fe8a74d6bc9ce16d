// Soniox. wss /transcribe-websocket, the key inside the first message. Final on demand: `finalize`, answered with `<fin>`,
// and never requested twice; its own endpoint is `<end>`. Each token says whether it is final; keepalive messages.
import type { SttVendor } from '../../ports/vendor.ts'

export const soniox: SttVendor = {
  label: 'Soniox',
  host: 'stt-rt.soniox.com',
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
