// Work on a few things at a time, hand them on in the order in which they came.

export interface Working {
  /** How many may be under way or wait for their turn to be handed on. */
  readonly ahead: number
}

/** When one fails, those under way are waited for, and the first error is thrown. */
export async function* inOrder<From, To>(
  source: AsyncIterable<From>,
  work: (thing: From) => Promise<To>,
  { ahead }: Working,
): AsyncGenerator<To> {
  const underWay: Promise<To>[] = []
  const begin = (thing: From) => {
    const working = work(thing)
    // Whoever awaits it meets the error; it may fail before its turn.
    working.catch(() => {})
    underWay.push(working)
  }
  try {
    for await (const thing of source) {
      begin(thing)
      if (underWay.length >= ahead) yield await (underWay.shift() as Promise<To>)
    }
    for (let next = underWay.shift(); next; next = underWay.shift()) yield await next
  } finally {
    await Promise.allSettled(underWay)
  }
}
