// Transcribers against servers that speak their protocols: what all of them must do.
import { openAssemblyStt } from '../../test/props/vendors/assembly-stt.ts'
import { openAzureStt } from '../../test/props/vendors/azure-stt.ts'
import { openGladiaStt } from '../../test/props/vendors/gladia-stt.ts'
import { openPixaStt } from '../../test/props/vendors/pixa-stt.ts'
import { openSarvamStt } from '../../test/props/vendors/sarvam-stt.ts'
import { openSmallestStt } from '../../test/props/vendors/smallest-stt.ts'
import { openSonioxStt } from '../../test/props/vendors/soniox-stt.ts'
import { transcriberSuite } from '../../test/props/vendors/stt-suite.ts'
import { openWhisperStt } from '../../test/props/vendors/whisper-stt.ts'
import { sttVendors } from './index.ts'

const apiKey = 'secret-of-the-vendor'
const credentials = { apiKey }
const { assembly, azure, gladia, pixa, sarvam, smallest, soniox, whisper } = sttVendors
const socket = { credentials, over: 'socket', idleMs: 20_000 } as const

transcriberSuite('AssemblyAI', {
  ...socket,
  vendor: assembly,
  open: () => openAssemblyStt(apiKey),
})
transcriberSuite('Azure', {
  vendor: azure,
  credentials: { apiKey, region: 'westeurope' },
  over: 'socket',
  open: () => openAzureStt(apiKey),
})
transcriberSuite('Gladia', {
  ...socket,
  vendor: gladia,
  endsByItself: true,
  open: () => openGladiaStt(apiKey),
})
transcriberSuite('Pixa', { ...socket, vendor: pixa, open: () => openPixaStt(apiKey) })
transcriberSuite('Sarvam', {
  ...socket,
  vendor: sarvam,
  endsByItself: true,
  open: () => openSarvamStt(apiKey),
})
transcriberSuite('Smallest', {
  ...socket,
  vendor: smallest,
  open: () => openSmallestStt(apiKey),
})
transcriberSuite('Soniox', { ...socket, vendor: soniox, open: () => openSonioxStt(apiKey) })
transcriberSuite('Whisper', {
  vendor: whisper,
  credentials,
  over: 'http',
  open: () => openWhisperStt(apiKey),
})
