// One call's fault ends one call: a fault in every method of every port, in the real media thread, each with a call beside
// it that goes on to its proper end.
import { AgentConfig } from '@parley/contract'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMediaRunner } from '../src/main/media-runner.ts'
import { readConfig } from '../src/platform/config.ts'
import type { CallOutcome } from '../src/ports/call.ts'
import type { CallRunner } from '../src/resources/calls/runner.ts'
import { type Fault, type FaultKind, faultKinds } from './props/call/faulty-parts.ts'

let runner: CallRunner
const logged: { msg: string; sessionId?: string; reason?: string }[] = []
beforeAll(() => {
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
  const config = readConfig({ PARLEY_TTS: 'flite' })
  const thread = new URL('./props/call/faulty-media-thread.ts', import.meta.url)
  runner = openMediaRunner({ config, recordingsFolder: '', log: log as never }, thread)
})
afterAll(() => runner.close())

const agent = AgentConfig.parse({
  agent_name: 'Test',
  agent_welcome_message: 'Hello.',
  llm_agent: {},
  task_config: { hangup_after_LLMCall: true, call_hangup_message: 'Goodbye.', check_if_user_online: false },
})

let count = 0
function call(fault: Fault): Promise<CallOutcome> {
  const sessionId = `session-${++count}`
  const order = {
    ...{ sessionId, workspaceId: 'workspace-1', agentId: 'agent-1', agent, callType: 'outbound' as const },
    ...{ to: '+15550100', from: null, variables: {}, metadata: fault },
  }
  return runner.run(order, () => {}, undefined).outcome
}

const methods = {
  line: ['line.connect', 'line.rateHz', 'line.callSid', 'line.send', 'line.hangUp'],
  callback: ['line.onEvent', 'line.onFrame', 'detector.onEvent'],
  transcriber: ['transcriber.open', 'stream.write', 'stream.hear', 'stream.finalize', 'stream.finish'],
  'words of the transcriber': ['stream.next', 'stream.return'],
  synthesizer: ['synthesizer.synthesize', 'sound.next', 'sound.return'],
  detector: ['detector.open', 'voice.write', 'voice.close'],
  model: ['model.reply', 'answer.next', 'answer.return', 'model.isOver'],
  tools: ['tools.descriptions', 'tools.waitingWords', 'tools.run'],
  recording: ['recording.open', 'recording.write', 'recording.close'],
  ambience: ['ambience.open', 'ambience.frame'],
  listener: ['onUpdate'],
}

const faults = Object.values(methods).flatMap((names) =>
  names.flatMap((at) => faultKinds.map((kind): [string, FaultKind] => [at, kind])),
)

describe('a fault in one method', () => {
  const outcomes = new Map<string, { broken: CallOutcome | Error; beside: CallOutcome | Error }>()

  beforeAll(async () => {
    const caught = (outcome: Promise<CallOutcome>) => outcome.catch((error: Error) => error)
    const work = faults.map(async ([at, kind]) => {
      const [broken, beside] = await Promise.all([caught(call({ at, kind })), caught(call({}))])
      outcomes.set(`${at} ${kind}`, { broken, beside })
    })
    await Promise.all(work)
  }, 90_000)

  it.each(faults)('%s %s: the call ends, and the one beside it as it should', (at, kind) => {
    const { broken, beside } = outcomes.get(`${at} ${kind}`) ?? {}
    expect(beside).toMatchObject({ status: 'completed', hangupReason: 'agent_hangup' })
    expect(broken).toMatchObject({ status: expect.any(String), hangupReason: expect.any(String) })
    console.log(
      at,
      '|',
      kind,
      '|',
      (broken as CallOutcome).status,
      (broken as CallOutcome).hangupReason,
      (broken as CallOutcome).errorMessage,
    )
  })

  it('ends no thread', () => {
    expect(logged.map(({ msg }) => msg)).not.toContain('the media thread broke down')
  })
})
