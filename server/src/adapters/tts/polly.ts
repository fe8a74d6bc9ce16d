// Amazon Polly. SynthesizeSpeech, signed with SigV4; an interruption can only abort the request. PCM at 8 and 16 kHz
// only; SSML must be escaped; each voice has its engines.
import type { TtsVendor } from '../../ports/vendor.ts'

export const polly: TtsVendor = {
  label: 'Amazon Polly',
  host: 'polly.amazonaws.com',
  credentials: ['accessKeyId', 'secretAccessKey', 'region'],
  abilities: {
    streaming: false,
    clauseEnds: true,
    wordTimes: false,
    languages: 'any',
  },
}
