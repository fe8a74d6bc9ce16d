// The checker of batches compares the stored recipients with what was dialled, recorded and published.

export interface RecipientRow {
  readonly batchId: string
  readonly place: number
  readonly status: string
  readonly attempts: number
}

export interface AttemptRow {
  readonly sessionId: string
  readonly batchId: string
  readonly place: number
  readonly finished: boolean
  readonly hangupReason: string | null
  readonly events: number
}

export interface BatchEvidence {
  readonly openBatches: number
  readonly recipients: readonly RecipientRow[]
  readonly attempts: readonly AttemptRow[]
  /** The session of every dial, as the process that dialled has recorded it. */
  readonly dials: readonly string[]
}

export interface BatchFindings {
  readonly recipients: number
  readonly attempts: number
  readonly dialled: number
  readonly workerLost: number
  /** Recipients that were never dialled, or have no outcome. */
  readonly lost: number
  readonly doubled: number
  /** Attempts without a call, calls without an attempt, and calls not published exactly once. */
  readonly unrecorded: number
  readonly unended: number
  /** The first few faults, in words. */
  readonly complaints: readonly string[]
}

// How many faults are told in words: enough to see a pattern.
const mostComplaints = 20
const settled = new Set(['completed', 'no-answer', 'busy', 'failed', 'voicemail'])

export function checkBatches({ openBatches, recipients, attempts, dials }: BatchEvidence): BatchFindings {
  const wrong = { lost: 0, doubled: 0, unrecorded: 0 }
  const complaints: string[] = []
  const complain = (kind: keyof typeof wrong, sentence: string) => {
    wrong[kind]++
    if (complaints.length < mostComplaints) complaints.push(`${kind}: ${sentence}`)
  }
  const key = ({ batchId, place }: { batchId: string; place: number }) => `${batchId}/${place}`
  const dialsOf = Map.groupBy(dials, (sessionId) => sessionId)
  const attemptsOf = Map.groupBy(attempts, key)

  for (const recipient of recipients) {
    const made = attemptsOf.get(key(recipient)) ?? []
    const name = `recipient ${recipient.place} of ${recipient.batchId}`
    if (!settled.has(recipient.status)) complain('lost', `${name} is ${recipient.status}`)
    if (!made.some(({ sessionId }) => dialsOf.has(sessionId))) complain('lost', `${name} was never dialled`)
    if (made.length !== recipient.attempts)
      complain('unrecorded', `${name} has ${recipient.attempts} attempts and ${made.length} calls`)
  }
  for (const { sessionId, finished, events } of attempts) {
    const times = dialsOf.get(sessionId)?.length ?? 0
    if (times > 1) complain('doubled', `call ${sessionId} was dialled ${times} times`)
    if (!finished) complain('unrecorded', `call ${sessionId} never ended`)
    if (events !== 1) complain('unrecorded', `call ${sessionId} was told ${events} times`)
  }
  return {
    recipients: recipients.length,
    attempts: attempts.length,
    dialled: dialsOf.size,
    workerLost: attempts.filter(({ hangupReason }) => hangupReason === 'worker_lost').length,
    ...wrong,
    unended: openBatches,
    complaints,
  }
}

export const isClean = ({ lost, doubled, unrecorded, unended }: BatchFindings): boolean =>
  lost + doubled + unrecorded + unended === 0
