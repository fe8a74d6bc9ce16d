// Runs calls without engines: each follows its `metadata.script`, step by step.
import { setTimeout as sleep } from 'node:timers/promises'
import { makeFrame } from '../../src/media/frame.ts'
import type { CallOutcome, CallUpdate } from '../../src/ports/call.ts'
import type { CallPlan } from '../../src/ports/call-plan.ts'
import type { RecordingSink } from '../../src/ports/recording.ts'
import type { ExpectedSpeech } from '../../src/resources/calls/plan/expected-speech.ts'
import type { CallRunner, StopReason } from '../../src/resources/calls/queue/runner.ts'
import { openRecording } from '../../src/resources/calls/recordings/recording-file.ts'

/** One step of a call. `until-stopped` lasts until the call is stopped; `record` writes `seconds` of audio. */
export type Step =
  | CallUpdate
  | { readonly type: 'wait'; readonly ms: number }
  | { readonly type: 'until-stopped' }
  | { readonly type: 'record'; readonly seconds: number }
  | { readonly type: 'break' }
  | { readonly type: 'outcome'; readonly outcome: Partial<CallOutcome> }

export const outcome: CallOutcome = {
  status: 'completed',
  terminatedBy: 'user',
  hangupReason: 'user_hangup',
  errorMessage: null,
  answeredBy: 'human',
  answeredAfterMs: 10,
  durationSeconds: 1.5,
  callSid: 'SB1',
  transcript: [],
  latency: [],
  usage: { sttSeconds: 1, llmInputTokens: 2, llmOutputTokens: 3, ttsCharacters: 4, models: [] },
  engines: [],
  recorded: false,
}

const stopped: Partial<CallOutcome> = { terminatedBy: 'api', hangupReason: 'api_stopped' }

export interface ScriptedRunner extends CallRunner {
  /** Every call that was run, in order. */
  readonly plans: CallPlan[]
  /** What the active agents speak with, as it was named at the start. */
  readonly expected: ExpectedSpeech[]
  /** Why calls were stopped, by session. */
  readonly stops: Map<string, StopReason>
  /** Running sessions. */
  readonly live: Set<string>
  mostLive: number
  /** Whether its engines are being loaded. */
  isLoading: boolean
  /** No call ends before this resolves. */
  mayEnd: Promise<void>
  /** Whether the sound of its calls would leave in time. */
  isPunctual: boolean
  /** After every call that began. */
  onRun: () => void
  closed: boolean
}

export function scriptedRunner(capacity = 10, recordingFolder = ''): ScriptedRunner {
  const runner: ScriptedRunner = {
    capacity,
    plans: [],
    expected: [],
    expect: (speech) => void runner.expected.push(...speech),
    stops: new Map(),
    live: new Set(),
    mostLive: 0,
    isLoading: false,
    isWarm: () => !runner.isLoading,
    mayEnd: Promise.resolve(),
    isPunctual: true,
    keepsTime: () => runner.isPunctual,
    onRun() {},
    closed: false,
    run(plan, on) {
      const { sessionId } = plan
      runner.plans.push(plan)
      runner.live.add(sessionId)
      runner.mostLive = Math.max(runner.mostLive, runner.live.size)
      runner.onRun()
      const stop = Promise.withResolvers<StopReason>()
      const sink = openRecording(recordingFolder, sessionId)
      const script = (plan.metadata as { script?: Step[] } | null)?.script ?? []
      return {
        stop(why) {
          runner.stops.set(sessionId, why)
          stop.resolve(why)
        },
        outcome: play(script, on, sink, stop.promise)
          .finally(() => runner.mayEnd)
          .finally(() => runner.live.delete(sessionId)),
      }
    },
    async close() {
      runner.closed = true
    },
  }
  return runner
}

async function play(
  script: readonly Step[],
  on: (update: CallUpdate) => void,
  sink: RecordingSink,
  stop: Promise<StopReason>,
): Promise<CallOutcome> {
  let made: CallOutcome = outcome
  // As in the media thread: no update is reported before `run` has returned.
  await Promise.resolve()
  for (const step of script) {
    switch (step.type) {
      case 'wait':
        await sleep(step.ms)
        break
      case 'until-stopped':
        made = { ...made, ...stopped, ...((await stop) === 'draining' && { terminatedBy: 'system' }) }
        break
      case 'record':
        hum(sink, step.seconds)
        made = { ...made, recorded: true }
        break
      case 'break':
        throw new Error('the thread is gone')
      case 'outcome':
        made = { ...made, ...step.outcome }
        break
      default:
        on(step)
    }
  }
  if (made.recorded) await sink.close()
  return made
}

/** The caller's samples count up, the agent's down, so that a test can distinguish them. */
function hum(sink: RecordingSink, seconds: number): void {
  const [caller, agent] = [makeFrame(8_000), makeFrame(8_000)]
  for (let frame = 0; frame < seconds * 50; frame++) {
    caller.samples.fill(frame + 1)
    agent.samples.fill(-frame - 1)
    sink.write(caller, agent)
  }
}
