// One call's fault ends one call: a fault in every method of every port, in the real media thread, each next to a
// healthy call that ends normally.
import { AgentConfig } from '@parley/contract'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMediaRunner } from '../../src/main/media/media-runner.ts'
import { readConfig } from '../../src/platform/config.ts'
import type { CallOutcome } from '../../src/ports/call.ts'
import { planOf } from '../../src/resources/calls/plan/plan-call.ts'
import type { CallRunner } from '../../src/resources/calls/queue/runner.ts'
import { type Fault, type FaultKind, faultKinds } from '../props/call/faulty-parts.ts'

let runner: CallRunner
const logged: { msg: string; sessionId?: string; reason?: string; metadata?: Fault }[] = []
beforeAll(() => {
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
  const config = readConfig({ PARLEY_TTS: 'wren' })
  const thread = new URL('../props/call/faulty-media-thread.ts', import.meta.url)
  runner = openMediaRunner({ config, recordingsFolder: '', log: log as never }, thread)
})
afterAll(() => runner.close())

const agent = AgentConfig.parse({
  agent_name: 'Test',
  agent_welcome_message: 'Hello.',
  llm_agent: {},
  api_tools: { tools: [{ name: 'keys', key: 'send_dtmf' }] },
  call_transfer_config: {
    destinations: [
      { name: 'Desk', to_phone_number: '+15550114' },
      { name: 'Colleague', to_phone_number: '+15550115', mode: 'warm', message: 'A caller.' },
    ],
  },
  task_config: { hangup_after_LLMCall: true, call_hangup_message: 'Goodbye.', check_if_user_online: false },
})

let count = 0
function call(fault: Fault): Promise<CallOutcome> {
  const sessionId = `session-${++count}`
  const row = {
    sessionId,
    workspaceId: 'workspace-1',
    agentId: 'agent-1',
    callType: 'outbound' as const,
    to: '+15550100',
    from: null,
    provider: null,
    number: null,
    variables: {},
    metadata: fault,
  }
  return runner.run(planOf(agent, row, new Date(0)), () => {}, undefined).outcome
}

// How a call ends when the method throws, now or later.
const endings = {
  'line.connect': 'dial_failed',
  'line.rateHz': 'worker_lost',
  'line.callSid': 'agent_hangup',
  'line.send': 'worker_lost',
  'line.pickUp': 'worker_lost',
  'line.quality': 'agent_hangup',
  // The model is told that no key was pressed.
  'line.can': 'agent_hangup',
  'line.sendDigits': 'agent_hangup',
  // A transfer that fails leaves the caller with the agent.
  'line.transfer': 'user_hangup',
  'consultation.open': 'user_hangup',
  'consultation.send': 'user_hangup',
  'consultation.join': 'user_hangup',
  'consultation.hangUp': 'user_hangup',
  'line.hangUp': 'agent_hangup',
  'line.onEvent': 'worker_lost',
  'line.onFrame': 'worker_lost',
  'detector.onEvent': 'worker_lost',
  'transcriber.warm': 'agent_hangup',
  'transcriber.open': 'stt_error',
  'stream.write': 'stt_error',
  'stream.hear': 'stt_error',
  // The stream is reopened once, and the words have been transcribed by then.
  'stream.finalize': 'agent_hangup',
  'stream.finish': 'agent_hangup',
  'stream.next': 'stt_error',
  'stream.return': 'agent_hangup',
  'synthesizer.warm': 'agent_hangup',
  'synthesizer.open': 'tts_error',
  'synthesis.write': 'tts_error',
  'synthesis.flush': 'tts_error',
  'synthesis.finish': 'tts_error',
  'synthesis.next': 'tts_error',
  'synthesis.return': 'user_hangup',
  'synthesis.cancel': 'user_hangup',
  'detector.open': 'stt_error',
  'voice.write': 'stt_error',
  'voice.close': 'agent_hangup',
  // One turn without an answer does not end the call: the caller does, who says nothing more.
  'model.reply': 'user_hangup',
  'answer.next': 'user_hangup',
  'answer.return': 'user_hangup',
  // Without a judgement of the model, the caller ends the call.
  'model.isOver': 'user_hangup',
  'tools.descriptions': 'user_hangup',
  'tools.waitingWords': 'user_hangup',
  // The error is passed to the model.
  'tools.run': 'agent_hangup',
  'recording.open': 'agent_hangup',
  'recording.write': 'agent_hangup',
  'recording.close': 'agent_hangup',
  'ambience.open': 'worker_lost',
  'ambience.frame': 'worker_lost',
  speechUsage: 'agent_hangup',
  release: 'agent_hangup',
  onUpdate: 'agent_hangup',
} as const

type Place = keyof typeof endings

const callbacks: readonly Place[] = ['line.onEvent', 'line.onFrame', 'detector.onEvent']
const withSignal: readonly Place[] = ['transcriber.open', 'synthesizer.open', 'model.reply', 'tools.run']

const kindsOf = (at: Place): readonly FaultKind[] =>
  callbacks.includes(at)
    ? ['throws']
    : faultKinds.filter((kind) => kind !== 'throws when aborted' || withSignal.includes(at))

const faults = (Object.keys(endings) as Place[]).flatMap((at) =>
  kindsOf(at).map((kind): [Place, FaultKind] => [at, kind]),
)

describe('a fault in one method', () => {
  type FaultyCallEnd = CallOutcome | Error
  const outcomes = new Map<string, { broken: FaultyCallEnd; beside: FaultyCallEnd }>()

  beforeAll(async () => {
    const caught = (outcome: Promise<CallOutcome>) => outcome.catch((error: Error) => error)
    const work = faults.map(async ([at, kind]) => {
      const [broken, beside] = await Promise.all([caught(call({ at, kind })), caught(call({}))])
      outcomes.set(`${at} ${kind}`, { broken, beside })
    })
    await Promise.all(work)
  })

  it.each(faults)('%s %s: the call ends, and the healthy one ends normally', (at, kind) => {
    const { broken, beside } = outcomes.get(`${at} ${kind}`) ?? {}
    expect(beside).toMatchObject({ status: 'completed', hangupReason: 'agent_hangup' })
    const hangupReason = kind === 'throws' ? endings[at] : expect.any(String)
    expect(broken).toMatchObject({ status: expect.any(String), hangupReason })
    expect(happened(at, kind)).toBe(true)
  })

  const happened = (at: Place, kind: FaultKind) =>
    logged.some(({ msg, metadata }) => msg === 'broken' && metadata?.at === at && metadata.kind === kind)

  it.each([
    'line.send',
    'stream.write',
    'synthesis.next',
    'voice.write',
    'answer.next',
    'recording.write',
  ] as const)('a timer of %s that throws ends its own call, with its reason', (at) => {
    const { broken } = outcomes.get(`${at} throws later`) ?? {}
    expect(broken).toMatchObject({
      status: 'failed',
      hangupReason: 'worker_lost',
      errorMessage: `Broken: ${at}.`,
    })
  })

  it('does not end the thread, and an uncaught error is logged with its call', () => {
    expect(logged.map(({ msg }) => msg)).not.toContain('the media thread broke down')
    const strays = logged.filter(({ msg }) => msg === 'a fault that nobody caught')
    expect(strays.length).toBeGreaterThan(0)
    expect(strays.filter(({ sessionId, reason }) => !sessionId || !reason)).toEqual([])
  })
})
