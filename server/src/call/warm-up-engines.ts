// Connects the engines while the telephone rings, so that no caller waits for it.
import type { RateHz } from '../media/frame.ts'
import type { CallPlan } from '../ports/call-plan.ts'
import type { CallParts } from './call-parts.ts'
import { transcriberOptions } from './pick-up.ts'
import type { Voice } from './speak/speaker.ts'

/**
 * Warms up both engines. A failure is reported when the engine is needed and fails again; what was opened is closed
 * with the call's other parts.
 */
export function warmUpEngines(
  plan: CallPlan,
  parts: CallParts,
  { synthesizer, ...voice }: Voice,
  rateHz: RateHz,
): void {
  const { signal } = new AbortController()
  const heard = transcriberOptions(plan, parts, rateHz)
  for (const warm of [() => synthesizer.warm?.(voice, signal), () => parts.transcriber.warm?.(heard, signal)])
    void Promise.resolve()
      .then(warm)
      .catch(() => {})
}
