// AssemblyAI. wss /v3/ws, the bare key in `Authorization`. A final on demand by `ForceEndpoint`; the end by `Terminate`. Sound in
// chunks of 50 to 1,000 ms; `Turn` messages repeat, the formatted one comes last.
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
