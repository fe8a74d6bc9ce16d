// Azure Speech. POST SSML to {region}.{host}, `Ocp-Apim-Subscription-Key`; raw-8khz and raw-16khz formats. Word boundaries come over
// its socket only. An interruption aborts the request.
import type { TtsVendor } from '../../ports/vendor.ts'

export const azuretts: TtsVendor = {
  label: 'Azure Speech',
  host: 'tts.speech.microsoft.com',
  credentials: ['apiKey', 'region'],
  abilities: {
    streaming: false,
    clauseEnds: true,
    wordTimes: false,
    languages: 'any',
  },
}
