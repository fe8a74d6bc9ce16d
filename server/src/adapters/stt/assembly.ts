// AssemblyAI. wss /v3/ws, the bare key in `Authorization`. Final on demand: `ForceEndpoint`; end: `Terminate`. Audio in chunks of
// 50 to 1,000 ms; `Turn` messages repeat, the formatted one comes last.
import type { SttVendor } from '../../ports/vendor.ts'

export const assembly: SttVendor = {
  label: 'AssemblyAI',
  host: 'streaming.assemblyai.com',
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
