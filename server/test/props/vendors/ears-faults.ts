// Every way in which a transcriber fails a call, and the call in which it happens: two sentences, each answered.
import type { TranscriberName } from '@parley/contract/companies'
import { overClauses } from '../../../src/ports/clause-stream.ts'
import { assembleSpeech } from '../../../src/speech/assemble-speech.ts'
import { sttVendors } from '../../../src/vendors/index.ts'
import { openScriptedRuntime, planWith } from '../call/scripted-runtime.ts'
import type { FaultResult } from './faults-suite.ts'
import { compareWords, faultyCall } from './faulty-call.ts'
import { hearingCompanies } from './loopback-companies.ts'
import { offlineEars, offlineVoice } from './offline-engines.ts'
import type { HearingServer } from './stt-server.ts'
import type { Fault } from './vendor-server.ts'
import { levelsOf } from './word-ears.ts'

/** `opened`: nobody has spoken; `words`: after the second word; `more words`: after the third; `end`: when the voice ends. */
type Stage = 'start' | 'opened' | 'words' | 'more words' | 'end' | 'between'

type Strike = Fault | 'break off' | 'complain' | 'say something new'

/** What happens when. */
export type EarsFault = Readonly<Partial<Record<Stage, Strike>>>

export const earsFaults: Readonly<Record<string, EarsFault>> = {
  'no fault': {},
  'key refused (401)': { start: { is: 'refuse', status: 401 } },
  'too many requests (429)': { start: { is: 'refuse', status: 429 } },
  'server error (500)': { start: { is: 'refuse', status: 500 } },
  'cut before it opens': { start: { is: 'drop' } },
  'never opens': { start: { is: 'hold' } },
  'opens and is silent': { start: { is: 'stall' } },
  'cut when open': { opened: 'break off' },
  'error when open': { opened: 'complain' },
  'cut amid words': { words: 'break off' },
  'cut amid words twice': { words: 'break off', 'more words': 'break off' },
  'error amid words': { words: 'complain' },
  'silent amid words': { words: { is: 'stall' } },
  'cut at the end': { end: { is: 'break', after: 0 } },
  'silent at the end': { end: { is: 'stall' } },
  'cut between sentences': { between: 'break off' },
  'unknown messages': {
    opened: 'say something new',
    words: 'say something new',
    'more words': 'say something new',
    end: 'say something new',
    between: 'say something new',
  },
  'every message late': { start: { is: 'delay', ms: 450 } },
}

const sentences = [
  ['one', 'two', 'three', 'four', 'five', 'six', 'seven'],
  ['eight', 'nine', 'ten'],
] as const

interface GoogleLike extends HearingServer {
  complain?(): void
}

function strike(
  server: GoogleLike,
  what: Strike | undefined,
  company: (typeof hearingCompanies)[TranscriberName],
) {
  const { complaint, novelty } = company
  if (what === undefined) return
  if (what === 'break off') server.breakOff()
  else if (what === 'complain') {
    if (complaint === undefined) server.complain?.()
    else for (const client of server.connections) client.send(complaint)
  } else if (what !== 'say something new') server.fault = what
  else if (novelty !== undefined) server.fault = { is: 'add', message: novelty }
}

export async function hearThrough(
  name: TranscriberName,
  fault: EarsFault,
  cleanups: (() => unknown)[],
): Promise<FaultResult> {
  const company = hearingCompanies[name]
  const { languages } = sttVendors[name].abilities
  const server = await company.open()
  server.understands = true
  const { runtime, close } = openScriptedRuntime()
  cleanups.push(() => server.close(), close)
  const [language = 'en'] = languages === 'any' || languages.includes('en') ? [] : languages
  const agent = { transcriber: { provider: name, language } }
  const account = { credentials: company.credentials, baseUrl: server.baseUrl }
  const offline = { transcriber: offlineEars, used: 'moonshine' as const, languages: [language] }
  const notes: string[] = []
  const speech = assembleSpeech(
    planWith(agent, { [name]: account }),
    { ...runtime, engines: { ...runtime.engines, transcriberFor: () => offline } },
    (note) => notes.push(note),
  )
  cleanups.push(() => speech.close())
  const { call, run, tick, until } = faultyCall({
    agent,
    replies: ['Alpha.', 'Bravo.'],
    parts: { transcriber: speech.transcriber, synthesizer: overClauses(offlineVoice, 'any') },
  })
  const hit = (stage: Stage) => strike(server, fault[stage], company)
  const say = async (words: readonly string[]) => {
    for (const level of levelsOf(words)) {
      call.line.bring(level)
      await tick()
    }
  }
  hit('start')
  await call.answer()
  await run(400)
  hit('opened')
  await run(200)
  for (const [turn, sentence] of sentences.entries()) {
    call.detector.tell('speech-start')
    await say(sentence.slice(0, 2))
    if (turn === 0) hit('words')
    await say(sentence.slice(2, 3))
    if (turn === 0) hit('more words')
    await say(sentence.slice(3))
    call.detector.tell('speech-end')
    if (turn === 0) hit('end')
    await until(() => call.spoken().length >= 2 * (turn + 1), 12_000)
    await run(600)
    if (turn === 0) hit('between')
    await run(400)
  }
  const wentOn = !call.isOver
  call.session.stop('api')
  await until(() => call.isOver, 1_000)
  // With the corrections of what was heard late.
  const spoken = call.spoken()
  const answers = spoken.filter((line) => line.startsWith('agent: '))
  const heard = spoken.flatMap((line) =>
    line.startsWith('user: ') ? line.slice('user: '.length).split(' ') : [],
  )
  return {
    ...compareWords(sentences.flat(), heard),
    wentOn: wentOn && answers.length >= sentences.length,
    story: [...spoken, ...notes, ...call.notes()],
  }
}
