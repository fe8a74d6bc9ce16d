// A whole call in memory, ticked by hand: the real session with scripted parts.
import { AgentConfig } from '@parley/contract'
import { type CallParts, startCall } from '../../../src/call/session.ts'
import { frameMs } from '../../../src/media/frame.ts'
import type { CallOutcome, CallUpdate, TranscriptEntry } from '../../../src/ports/call.ts'
import { overClauses } from '../../../src/ports/clause-stream.ts'
import type { RecordingSink } from '../../../src/ports/recording.ts'
import type { HeardWord } from '../../../src/ports/transcriber.ts'
import { planOf } from '../../../src/resources/calls/plan/plan-call.ts'
import { ambienceOfCall } from '../../../src/speech/ambience.ts'
import { ScriptedLine } from './scripted-line.ts'
import { type Script, ScriptedModel, ScriptedTools } from './scripted-model.ts'
import { ScriptedVoice } from './scripted-synthesizer.ts'
import { ScriptedDetector, ScriptedTranscriber } from './scripted-transcriber.ts'

type Config = Partial<Omit<typeof AgentConfig._input, 'task_config'>>
type Task = (typeof AgentConfig._input)['task_config']

export interface Scene {
  readonly agent?: Config
  readonly task?: Task
  readonly replies?: readonly Script[]
  readonly tools?: ScriptedTools
  readonly parts?: Partial<CallParts>
  readonly variables?: Readonly<Record<string, string>>
  readonly callType?: 'outbound' | 'inbound'
}

export class MemoryRecording implements RecordingSink {
  readonly caller: number[] = []
  readonly agent: number[] = []
  closed = 0
  discarded = 0
  write: RecordingSink['write'] = (caller, agent) => {
    this.caller.push(caller.samples[0] ?? 0)
    this.agent.push(agent.samples[0] ?? 0)
  }
  close(): Promise<void> {
    this.closed++
    return Promise.resolve()
  }
  flushed(): Promise<void> {
    return Promise.resolve()
  }
  discard(): Promise<void> {
    this.discarded++
    this.caller.length = 0
    this.agent.length = 0
    return Promise.resolve()
  }
}

/** Lets all pending promises settle. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 60; i++) await null
}

export function rehearse({
  agent = {},
  task = {},
  replies = [],
  tools,
  parts,
  variables = {},
  callType = 'outbound',
}: Scene = {}) {
  const line = new ScriptedLine()
  const ears = new ScriptedTranscriber()
  const detector = new ScriptedDetector()
  const model = new ScriptedModel(replies)
  const box = tools ?? new ScriptedTools()
  const voice = new ScriptedVoice()
  const recording = new MemoryRecording()
  const updates: CallUpdate[] = []
  let outcome: CallOutcome | undefined
  let nowMs = 1_000

  const plan = planOf(
    AgentConfig.parse({ agent_name: 'Test', llm_agent: {}, ...agent, task_config: task }),
    {
      sessionId: 'session-1',
      workspaceId: 'workspace-1',
      agentId: 'agent-1',
      callType,
      to: '+15550100',
      from: null,
      provider: null,
      number: null,
      variables,
      metadata: null,
    },
    new Date('2030-01-01T09:00:00Z'),
  )
  const session = startCall(plan, {
    connect: (listener) => line.connect(listener),
    transcriber: ears,
    synthesizer: overClauses(voice, ['en']),
    voice: 'test',
    detector,
    model,
    tools: box,
    recording: () => recording,
    ambience: ambienceOfCall(plan.ambienceTrack, () => {}),
    engines: [],
    onUpdate: (item) => updates.push(item),
    ...parts,
  })
  void session.done.then((result) => {
    outcome = result
  })

  const tick = async (ms = frameMs) => {
    nowMs += ms
    session.tick(nowMs)
    await settle()
  }
  const run = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += frameMs) await tick()
  }
  const until = async (condition: () => boolean, withinMs = 60_000) => {
    for (let passed = 0; passed < withinMs && !condition(); passed += frameMs) await tick()
    if (!condition()) throw new Error(`it did not happen within ${withinMs} ms`)
  }

  return {
    session,
    line,
    ears,
    detector,
    model,
    tools: box,
    voice,
    recording,
    updates,
    tick,
    run,
    until,
    get nowMs() {
      return nowMs
    },
    get outcome(): CallOutcome {
      if (!outcome) throw new Error('the call goes on')
      return outcome
    },
    get isOver() {
      return outcome !== undefined
    },
    async answer() {
      await tick()
      line.tell({ type: 'answered', codec: { name: 'PCMU', rateHz: 8_000 } })
      await settle()
    },
    /** Voice for `forMs`, the words as a partial halfway, and the final when it is requested, `times` of its words with it. */
    async says(words: string, forMs = 600, times?: (beganMs: number) => readonly HeardWord[]) {
      const beganMs = ears.now.frames * frameMs
      detector.tell('speech-start')
      await run(forMs / 2)
      ears.now.push({ type: 'partial', text: words })
      await run(forMs / 2)
      detector.tell('speech-end')
      const { asked } = ears.now
      await until(() => ears.now.asked > asked || outcome !== undefined, 2_000)
      if (outcome === undefined) ears.now.push({ type: 'final', text: words, words: times?.(beganMs) })
      await settle()
    },
    notes: () => updates.flatMap((item) => (item.type === 'note' ? [item.note] : [])),
    spoken: () => (outcome?.transcript ?? entries(updates)).map(({ role, content }) => `${role}: ${content}`),
    /** Whether the line is playing this text now. */
    hears: (text: string) => line.sent.at(-1) === voice.sampleOf(text) && line.sent.at(-1) !== 0,
    isSilent: () => line.sent.at(-1) === 0,
  }
}

const entries = (updates: readonly CallUpdate[]): readonly TranscriptEntry[] =>
  updates.flatMap((item) => (item.type === 'transcript' ? [item.entry] : []))
