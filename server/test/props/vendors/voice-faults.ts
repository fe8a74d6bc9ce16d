// Every way in which a synthesizer fails a call, and the call in which it happens: a greeting, and two answers of which the
// first one suffers.
import { credentialNameOf, type SynthesizerName } from '@parley/contract/companies'
import { overClauses } from '../../../src/ports/clause-stream.ts'
import { assembleSpeech } from '../../../src/speech/assemble-speech.ts'
import { ttsVendors } from '../../../src/vendors/index.ts'
import { openScriptedRuntime, planWith } from '../call/scripted-runtime.ts'
import type { FaultResult } from './faults-suite.ts'
import { compareWords, faultyCall } from './faulty-call.ts'
import { speakingCompanies } from './loopback-companies.ts'
import { offlineVoice } from './offline-engines.ts'
import { heardWords, wholeWords, wordsOf } from './spoken-words.ts'
import type { Fault } from './vendor-server.ts'

type Strike = Fault | 'complain' | 'say something new'

export interface VoiceFault {
  /** Before the telephone rings. */
  readonly start?: Fault
  /** Before the first answer. */
  readonly answer?: Strike
  /** The fault comes back as soon as it has struck, until the answer is over. */
  readonly again?: true
}

export const voiceFaults: Readonly<Record<string, VoiceFault>> = {
  'no fault': {},
  'key refused (401)': { start: { is: 'refuse', status: 401 } },
  'too many requests (429)': { start: { is: 'refuse', status: 429 } },
  'server error (500)': { start: { is: 'refuse', status: 500 } },
  'cut before it opens': { start: { is: 'drop' } },
  'never opens': { start: { is: 'hold' } },
  'opens and is silent': { start: { is: 'stall' } },
  'cut before the first sound': { answer: { is: 'break', after: 0 } },
  'cut amid sound': { answer: { is: 'break', after: 5 } },
  'cut amid sound, again and again': { answer: { is: 'break', after: 3 }, again: true },
  'error in the stream': { answer: 'complain' },
  'silent before the first sound': { answer: { is: 'stall' } },
  'silent amid sound': { answer: { is: 'stall', after: 5 } },
  'unknown messages': { answer: 'say something new', again: true },
  'first sound late': { answer: { is: 'delay', ms: 1_100 } },
  'first sound too late': { answer: { is: 'delay', ms: 3_500 } },
}

const greeting = 'Hotel india.'
const answers = ['Alpha bravo charlie delta. Echo foxtrot golf.', 'Juliet kilo.'] as const

/** As the company takes it; undefined: it has nothing like it. */
function faultOf(
  what: Strike | undefined,
  { complaint, novelty }: (typeof speakingCompanies)[SynthesizerName],
) {
  if (what === 'complain')
    return complaint === undefined
      ? ({ is: 'refuse', status: 500 } as const)
      : ({ is: 'garble', message: complaint } as const)
  if (what === 'say something new')
    return novelty === undefined ? undefined : ({ is: 'add', message: novelty } as const)
  return what
}

export async function speakThrough(
  name: SynthesizerName,
  fault: VoiceFault,
  cleanups: (() => unknown)[],
): Promise<FaultResult> {
  const company = speakingCompanies[name]
  const { languages } = ttsVendors[name].abilities
  const server = await company.open()
  const { runtime, close } = openScriptedRuntime()
  cleanups.push(() => server.close(), close)
  const [language = 'en'] = languages === 'any' || languages.includes('en') ? [] : languages
  const offline = Object.assign(overClauses(offlineVoice, [language]), offlineVoice)
  const notes: string[] = []
  const speech = assembleSpeech(
    planWith(
      { synthesizer: { provider: name, provider_config: { language } } },
      { [credentialNameOf(name)]: { credentials: company.credentials, baseUrl: server.baseUrl } },
    ),
    { ...runtime, engines: { ...runtime.engines, synthesizer: offline } },
    (note) => notes.push(note),
  )
  cleanups.push(() => speech.close())
  let isStruck = false
  const own = faultOf(fault.answer, company)
  const { call, run, until } = faultyCall(
    {
      replies: answers,
      agent: {
        agent_welcome_message: greeting,
        synthesizer: { provider: name, provider_config: { language } },
      },
      parts: { synthesizer: speech.synthesizer, voice: speech.voice, voiceIn: speech.voiceIn },
    },
    () => {
      if (isStruck && fault.again) server.fault ??= own
    },
  )
  const says = async (words: string) => {
    const { asked } = call.ears.now
    call.detector.tell('speech-start')
    await run(200)
    call.ears.now.push({ type: 'partial', text: words })
    await run(200)
    call.detector.tell('speech-end')
    await until(() => call.ears.now.asked > asked, 2_000)
    call.ears.now.push({ type: 'final', text: words })
  }
  const spokenBy = () => call.spoken().filter((line) => line.startsWith('agent: ')).length
  server.fault = fault.start
  await run(400)
  await call.answer()
  await until(() => spokenBy() === 1, 15_000)
  await run(300)
  if (own) server.fault = own
  isStruck = true
  await says('hello there')
  await until(() => spokenBy() === 2, 25_000)
  isStruck = false
  if (fault.answer) server.fault = undefined
  await run(300)
  await says('and then')
  await until(() => spokenBy() === 3, 15_000)
  const wentOn = !call.isOver && spokenBy() === 3
  const said = [greeting, ...answers].flatMap(wordsOf)
  const story = [...call.spoken(), ...notes, ...call.notes(), heardWords(call.line.sent).join(' ')]
  call.session.stop('api')
  await until(() => call.isOver, 1_000)
  return { ...compareWords(said, wholeWords(call.line.sent)), wentOn, story }
}
