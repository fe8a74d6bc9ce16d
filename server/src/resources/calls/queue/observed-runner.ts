// Wrappers of a runner: one counts the calls of this process and measures their turns for Prometheus, one records a
// trace of every call that ends here.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Exemplars } from '../../../platform/telemetry/exemplars.ts'
import { traceIdOf } from '../../../platform/telemetry/trace-context.ts'
import type { Traces } from '../../../platform/telemetry/traces.ts'
import type { CallUpdate, TurnLatency } from '../../../ports/call.ts'
import { callSpans } from '../record/call-spans.ts'
import type { CallRunner, RunningCall } from './runner.ts'

const turns = {
  name: 'parley_turn_seconds',
  bounds: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2.5, 5, 10],
}

const parts: Readonly<Record<string, (latency: TurnLatency) => number | null>> = {
  endpointing: ({ endpointingMs }) => endpointingMs,
  stt: ({ sttMs }) => sttMs,
  llm: ({ llmMs }) => llmMs,
  tts: ({ ttsMs }) => ttsMs,
  total: ({ totalMs }) => totalMs,
}

/** `exemplars`: turns are kept with the trace of their call. Undefined: calls have none. */
export function measuredRunner(
  runner: CallRunner,
  registry: Registry,
  exemplars: Exemplars | undefined,
): CallRunner {
  const registers = [registry]
  const live = new Gauge({ name: 'parley_calls_live', help: 'Calls that this process runs now.', registers })
  new Gauge({
    name: 'parley_calls_capacity',
    help: 'Calls that this process may run at a time.',
    registers,
  }).set(runner.capacity)
  new Gauge({
    name: 'parley_sound_in_time',
    help: '1 while the sound of calls leaves in time; 0 while new calls are refused because it does not.',
    registers,
    collect() {
      this.set((runner.keepsTime?.() ?? true) ? 1 : 0)
    },
  })
  const ended = new Counter({
    name: 'parley_calls_ended_total',
    help: 'Calls that this process ran to their end, by status and reason.',
    labelNames: ['status', 'reason'],
    registers,
  })
  const turnSeconds = new Histogram({
    name: turns.name,
    help: 'From the end of what the caller said to the first sound of the answer: the whole and its parts.',
    labelNames: ['part'],
    buckets: [...turns.bounds],
    registers,
  })
  const lateFrames = new Counter({
    name: 'parley_sound_frames_late_total',
    help: 'Frames of sound, 20 ms each, that left late or not at all because the machine was overloaded.',
    registers,
  })
  const lateFirstSounds = new Counter({
    name: 'parley_first_sounds_late_total',
    help: 'Answers, greetings and other sayings whose first frame of sound left late because the machine was overloaded.',
    registers,
  })
  const observe = (latency: TurnLatency, sessionId: string) => {
    for (const [part, partOf] of Object.entries(parts)) {
      const ms = partOf(latency)
      if (ms === null) continue
      turnSeconds.observe({ part }, ms / 1_000)
      exemplars?.keep(turns, { part }, ms / 1_000, traceIdOf(sessionId))
    }
  }
  return {
    ...runner,
    run(plan, on, arrival) {
      live.inc()
      const heard = (update: CallUpdate) => {
        if (update.type === 'latency') observe(update.latency, plan.sessionId)
        if (update.type === 'late-sound') {
          lateFrames.inc(update.frames)
          lateFirstSounds.inc(update.firstSounds)
        }
        on(update)
      }
      const running = runner.run(plan, heard, arrival)
      const { call, isLost } = noticeLoss(running)
      const count = (status: string, reason: string) => isLost() || ended.inc({ status, reason })
      void running.outcome
        .then(
          ({ status, hangupReason }) => count(status, hangupReason ?? 'none'),
          () => count('failed', 'worker_lost'),
        )
        .finally(() => live.dec())
      return call
    },
  }
}

/** Without traces, the runner itself. */
export function tracedRunner(runner: CallRunner, traces: Traces | undefined): CallRunner {
  if (!traces) return runner
  return {
    ...runner,
    run(plan, on, arrival) {
      const startedMs = Date.now() - (plan.resumed?.elapsedMs ?? 0)
      const running = runner.run(plan, on, arrival)
      const { call, isLost } = noticeLoss(running)
      void running.outcome.then(
        (outcome) => {
          if (isLost()) return
          for (const span of callSpans({ plan, outcome, startedMs, endedMs: Date.now() })) traces.record(span)
        },
        () => {},
      )
      return call
    },
  }
}

/** A call that was lost to another process has not ended: that process tells how it went on. */
function noticeLoss(running: RunningCall): { readonly call: RunningCall; isLost(): boolean } {
  let isLost = false
  const call: RunningCall = {
    ...running,
    stop(why) {
      isLost ||= why === 'lost'
      running.stop(why)
    },
  }
  return { call, isLost: () => isLost }
}
