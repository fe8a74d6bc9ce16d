// Every transcriber that the contract names: a name without a row does not compile.
import type { TranscriberName } from '@parley/contract/vendor-names'
import type { SttVendor } from '../ports/vendor.ts'
import { assembly } from './assembly/hears.ts'
import { azure } from './azure/hears.ts'
import { deepgram } from './deepgram/hears.ts'
import { elevenlabs } from './elevenlabs/hears.ts'
import { gladia } from './gladia/hears.ts'
import { google } from './google/hears.ts'
import { openai } from './openai/hears.ts'
import { pixa } from './pixa/hears.ts'
import { sarvam } from './sarvam/hears.ts'
import { smallest } from './smallest/hears.ts'
import { soniox } from './soniox/hears.ts'
import { whisper } from './whisper/hears.ts'

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
