// Every transcriber that the contract names: a name without a row does not compile.
import type { TranscriberName } from '@parley/contract/vendor-names'
import type { SttVendor } from '../../ports/vendor.ts'
import { assembly } from './assembly.ts'
import { azure } from './azure.ts'
import { deepgram } from './deepgram.ts'
import { elevenlabs } from './elevenlabs.ts'
import { gladia } from './gladia.ts'
import { google } from './google.ts'
import { openai } from './openai.ts'
import { pixa } from './pixa.ts'
import { sarvam } from './sarvam.ts'
import { smallest } from './smallest.ts'
import { soniox } from './soniox.ts'
import { whisper } from './whisper.ts'

export const sttVendors = {
  deepgram,
  whisper,
  assembly,
  azure,
  smallest,
  sarvam,
  google,
  pixa,
  gladia,
  elevenlabs,
  openai,
  soniox,
} satisfies Record<TranscriberName, SttVendor>
