// Every way in which a language model fails a call, and the call in which it happens: two questions, of which the first one
// suffers, and another model of the same company to go on with.
import type { LlmProvider } from '@parley/contract/companies'
import { chooseModel, openTrustedConnections } from '../../../src/mind/model/choose-model.ts'
import { waitOnTicks } from '../../../src/platform/clock/ticker.ts'
import { openGuard } from '../../../src/platform/guard/guard.ts'
import { overClauses } from '../../../src/ports/clause-stream.ts'
import { readModel } from '../../../src/resources/calls/plan/read-model.ts'
import { openAnthropicServer } from '../servers/anthropic-server.ts'
import { openGeminiServer } from '../servers/gemini-server.ts'
import { openModelServer } from '../servers/model-server.ts'
import type { Answer, ScriptedReply } from '../servers/scripted-server.ts'
import type { FaultResult } from './faults-suite.ts'
import { compareWords, faultyCall } from './faulty-call.ts'
import { offlineVoice } from './offline-engines.ts'
import { wholeWords } from './spoken-words.ts'

interface ModelFault {
  /** Instead of the first answer. */
  readonly answer: Answer
  /** Whether the server closes its connections once it has been asked. */
  readonly isCut?: true
}

const words: ScriptedReply = { words: ['Alpha bravo ', 'charlie. ', 'Delta echo ', 'foxtrot.'] }
const begun: ScriptedReply = { words: ['Alpha bravo ', 'charlie. '], after: 'stall' }
const answered = ['Alpha', 'bravo', 'charlie.', 'Delta', 'echo', 'foxtrot.']
const refusal = (status: number): Answer => ({ status, body: { error: { message: 'No.' } } })
const failure = 'data: {"type":"error","error":{"type":"api_error","message":"Internal error."}}\n\n'
const novelty = 'event: novel\ndata: {"type":"novel","object":"novel"}\n\n'

export const modelFaults: Readonly<Record<string, ModelFault>> = {
  'no fault': { answer: words },
  'key refused (401)': { answer: refusal(401) },
  'too many requests (429)': { answer: refusal(429) },
  'server error (500)': { answer: refusal(500) },
  'cut before it answers': { answer: 'no answer', isCut: true },
  'never answers': { answer: 'no answer' },
  'error in the stream': { answer: { raw: failure } },
  'cut amid the answer': { answer: begun, isCut: true },
  'silent amid the answer': { answer: begun },
  'unknown messages': { answer: { ...words, before: novelty } },
  'first word late': { answer: { ...words, afterMs: 2_500 } },
}

const openServer = async (name: LlmProvider, answers: readonly Answer[]) => {
  if (name === 'anthropic') return openAnthropicServer(...answers)
  if (name === 'gemini') return openGeminiServer(...answers)
  return openModelServer(...answers)
}

export async function thinkThrough(
  name: LlmProvider,
  { answer, isCut }: ModelFault,
  cleanups: (() => unknown)[],
): Promise<FaultResult> {
  const server = await openServer(name, [answer, words])
  const guard = openGuard({ allowPrivate: false, trustedHosts: [] })
  const trusted = openTrustedConnections()
  cleanups.push(
    () => server.close(),
    () => guard.close(),
    () => trusted.destroy(),
  )
  const waiting = new Set<(dueMs: number) => void>()
  const add = (onTick: (dueMs: number) => void) => {
    waiting.add(onTick)
    return { end: () => void waiting.delete(onTick) }
  }
  const notes: string[] = []
  const baseUrl = 'baseUrl' in server ? String(server.baseUrl) : server.origin
  const operator = {
    server: { provider: name, baseUrl, models: ['large', 'small'], apiKey: 'secret' },
    keys: {},
  }
  const { model } = chooseModel({
    plan: readModel({}),
    operator,
    guard,
    trusted,
    onFailover: (note) => notes.push(note),
    wait: waitOnTicks({ add }),
  })
  const { call, run, until } = faultyCall(
    { parts: { model, synthesizer: overClauses(offlineVoice, 'any') } },
    (nowMs) => {
      if (isCut && server.asked.length === 1) server.cut()
      for (const onTick of [...waiting]) onTick(nowMs)
    },
  )
  const says = async (text: string) => {
    const { asked } = call.ears.now
    const spoken = call.spoken().length
    call.detector.tell('speech-start')
    await run(200)
    call.ears.now.push({ type: 'partial', text })
    await run(200)
    call.detector.tell('speech-end')
    await until(() => call.ears.now.asked > asked, 2_000)
    call.ears.now.push({ type: 'final', text })
    await until(() => call.spoken().length >= spoken + 2, 25_000)
    // The rest of an answer may come from another model.
    await run(1_500)
  }
  await call.answer()
  await says('one two')
  await says('three four')
  const story = [...call.spoken(), ...notes, ...call.notes()]
  const wentOn = !call.isOver
  call.session.stop('api')
  await until(() => call.isOver, 1_000)
  return { ...compareWords([...answered, ...answered], wholeWords(call.line.sent)), wentOn, story }
}
