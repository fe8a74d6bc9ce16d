// The sound of one running call, for those who listen in.
import type { CallPlan } from '../../../ports/call-plan.ts'
import type { OnLiveSound, RunningCall } from '../queue/runner.ts'

export interface LiveSound {
  /** Why nobody may listen; undefined: they may. */
  readonly refusal: string | undefined
  listen(onSound: OnLiveSound, onEnd: () => void): { stop(): void }
  /** For the record of the call. */
  note(sentence: string): void
  /** The call is over. */
  end(): void
}

export function liveSoundOf(plan: CallPlan, call: RunningCall): Omit<LiveSound, 'note'> {
  const endings = new Set<() => void>()
  return {
    refusal: refusalOf(plan, call),
    listen(onSound, onEnd) {
      const listening = call.listen?.(onSound)
      endings.add(onEnd)
      return {
        stop() {
          endings.delete(onEnd)
          listening?.stop()
        },
      }
    },
    end() {
      for (const onEnd of endings) onEnd()
    },
  }
}

/** A call whose sound may not be kept may not be listened to either. */
function refusalOf({ guardRails }: CallPlan, call: RunningCall): string | undefined {
  if (!call.listen) return 'The sound of this call cannot be listened to.'
  if (guardRails.mask.length > 0)
    return 'This agent masks personal data, and what is heard live cannot be masked.'
  return guardRails.records
    ? undefined
    : 'Calls of this agent are not recorded, and nobody listens in to them.'
}
