// Closing what was opened: in reverse order by an AsyncDisposableStack, and, where the order does not matter, at once.

/** The first call runs it; later ones get the same promise. */
export function once(close: () => Promise<void> | void): () => Promise<void> {
  let closed: Promise<void> | undefined
  return () => {
    closed ??= (async () => close())()
    return closed
  }
}

interface Stoppable {
  stop(): Promise<void>
}

/** Members that are stopped all at the same time, so that a slow one does not keep the others waiting. */
export class Crew implements AsyncDisposable {
  readonly #members: Stoppable[] = []

  add<Member extends Stoppable>(member: Member): Member {
    this.#members.push(member)
    return member
  }

  /** Every one is stopped, also when another cannot be. */
  async [Symbol.asyncDispose](): Promise<void> {
    const outcomes = await Promise.allSettled(this.#members.map((member) => member.stop()))
    const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    if (reasons.length > 0) throw new AggregateError(reasons, 'not everything could be stopped')
  }
}

/** What went wrong first, where closing the rest went wrong as well. */
export function firstFault(error: unknown): unknown {
  let first = error
  while (first instanceof SuppressedError) first = first.suppressed
  return first
}
