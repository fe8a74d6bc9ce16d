// Wraps a runner: records a trace of every call that ends here.
import type { Traces } from '../../../platform/telemetry/traces.ts'
import { callSpans } from '../record/call-spans.ts'
import type { CallRunner } from './runner.ts'

/** Without traces, the runner itself. */
export function tracedRunner(runner: CallRunner, traces: Traces | undefined): CallRunner {
  if (!traces) return runner
  return {
    ...runner,
    run(plan, on, arrival) {
      const startedMs = Date.now() - (plan.resumed?.elapsedMs ?? 0)
      const running = runner.run(plan, on, arrival)
      // The process that takes over tells how it went on.
      let isLost = false
      void running.outcome.then(
        (outcome) => {
          if (isLost) return
          for (const span of callSpans({ plan, outcome, startedMs, endedMs: Date.now() })) traces.record(span)
        },
        () => {},
      )
      return {
        ...running,
        stop(why) {
          isLost ||= why === 'lost'
          running.stop(why)
        },
      }
    },
  }
}
