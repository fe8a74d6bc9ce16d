// Closing what was opened: in reverse order with an AsyncDisposableStack or, where the order does not matter,
// concurrently.

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

/** Members are stopped concurrently, so that a slow one does not delay the others. */
export class StopGroup implements AsyncDisposable {
  readonly #members: Stoppable[] = []

  add<Member extends Stoppable>(member: Member): Member {
    this.#members.push(member)
    return member
  }

  /** Stops every member, even if stopping another one fails. */
  async [Symbol.asyncDispose](): Promise<void> {
    const outcomes = await Promise.allSettled(this.#members.map((member) => member.stop()))
    const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    if (reasons.length > 0) throw new AggregateError(reasons, 'not everything could be stopped')
  }
}

/** Returns the original error, if closing the rest failed too. */
export function firstFault(error: unknown): unknown {
  let first = error
  while (first instanceof SuppressedError) first = first.suppressed
  return first
}
