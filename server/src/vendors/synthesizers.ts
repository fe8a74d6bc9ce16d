// Every synthesizer that the contract names: a name without a row does not compile.
import type { SynthesizerName } from '@parley/contract/vendor-names'
import type { TtsVendor } from '../ports/vendor.ts'
import { azuretts } from './azure/speaks.ts'
import { cartesia } from './cartesia/speaks.ts'
import { deepgram } from './deepgram/speaks.ts'
import { elevenlabs } from './elevenlabs/speaks.ts'
import { gemini } from './gemini/speaks.ts'
import { google } from './google/speaks.ts'
import { openai } from './openai/speaks.ts'
import { pixa } from './pixa/speaks.ts'
import { polly } from './polly/speaks.ts'
import { rime } from './rime/speaks.ts'
import { sarvam } from './sarvam/speaks.ts'
import { smallest } from './smallest/speaks.ts'

export const ttsVendors = {
  polly,
  elevenlabs,
  openai,
  deepgram,
  azuretts,
  cartesia,
  smallest,
  sarvam,
  rime,
  google,
  pixa,
  gemini,
} satisfies Record<SynthesizerName, TtsVendor>
