// ElevenLabs. wss /v1/text-to-speech/{voice}/multi-stream-input, `xi-api-key`. An interruption is `close_context`. The first message
// of a context is a space with the voice settings; a keep-alive before it discards them. Alignment by character.
import type { TtsVendor } from '../../ports/vendor.ts'

export const elevenlabs: TtsVendor = {
  label: 'ElevenLabs',
  host: 'api.elevenlabs.io',
  credentials: ['apiKey'],
  abilities: {
    streaming: true,
    clauseEnds: false,
    wordTimes: true,
    languages: 'any',
  },
}
