// Whether the trunk of a batch answers, judged by the batch's own calls. Pure.
//
// A trunk that is gone fails every call, and says nothing of the people who were to be called: the batch waits, tries it
// with one call at a time, and goes on where it was.
import type { Dial } from './feed-store.ts'

export type TrunkHealth = 'answers' | 'silent' | 'unknown'

/** So many calls in a row: one may have been lost on the way. */
const silentDials = 3

/**
 * `isTrial`: the batch has waited for its trunk, and one call tells whether that was long enough. While there are
 * recipients that were never called (`hasFresh`), the silent calls have to be to different ones: a trunk may never
 * answer for one number, and answers for the next.
 */
export function trunkHealth(
  dials: readonly Dial[],
  { isTrial, hasFresh }: { readonly isTrial: boolean; readonly hasFresh: boolean },
): TrunkHealth {
  const latest = dials
    .filter(({ after_pause: isRecent }) => isRecent)
    .toSorted((one, other) => other.dialled_at.getTime() - one.dialled_at.getTime())
  const heardAt = latest.findIndex(({ silent }) => !silent)
  if (heardAt === 0) return 'answers'
  const silent = heardAt < 0 ? latest : latest.slice(0, heardAt)
  const evidence = hasFresh ? new Set(silent.map(({ place }) => place)).size : silent.length
  return evidence >= (isTrial ? 1 : silentDials) ? 'silent' : 'unknown'
}

/** A trunk that restarts is soon back; one that is gone for hours is not asked every minute. */
const pausesSeconds = [15, 30, 60, 120, 300, 600] as const

/** How long a batch waits that has waited so many times before. */
export const pauseSeconds = (tries: number): number =>
  pausesSeconds[Math.min(tries, pausesSeconds.length - 1)] as number
