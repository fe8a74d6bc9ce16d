// ElevenLabs. wss /v1/speech-to-text/realtime, `xi-api-key`. Final on demand: a chunk with `commit: true`; a silent chunk keeps
// the connection alive. committed_transcript comes with or without timestamps.
import type { SttVendor } from '../../ports/vendor.ts'

export const elevenlabs: SttVendor = {
  label: 'ElevenLabs',
  host: 'api.elevenlabs.io',
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
