// Maps an async sequence with bounded concurrency; results come in input order.

/** Maps a sequence; at most `ahead` results are being made or waiting to be emitted. If one piece of work fails, waits for those running and throws the first error. */
export async function* mapInOrder<From, To>(
  source: AsyncIterable<From>,
  work: (thing: From) => Promise<To>,
  { ahead }: { readonly ahead: number },
): AsyncGenerator<To> {
  const underWay: Promise<To>[] = []
  const begin = (thing: From) => {
    const working = work(thing)
    // Awaited later in order; until then a rejection must not count as unhandled.
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
