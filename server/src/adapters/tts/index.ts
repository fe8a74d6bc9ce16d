// Every synthesizer that the contract names: a name without a row does not compile.
import type { SynthesizerName } from '@parley/contract/vendor-names'
import type { TtsVendor } from '../../ports/vendor.ts'
import { azuretts } from './azuretts.ts'
import { cartesia } from './cartesia.ts'
import { deepgram } from './deepgram.ts'
import { elevenlabs } from './elevenlabs.ts'
import { gemini } from './gemini.ts'
import { google } from './google.ts'
import { openai } from './openai.ts'
import { pixa } from './pixa.ts'
import { polly } from './polly.ts'
import { rime } from './rime.ts'
import { sarvam } from './sarvam.ts'
import { smallest } from './smallest.ts'

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
