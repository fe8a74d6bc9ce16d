// The prices of a public list that a workspace has not set itself.
// Free of zod, so that a browser can have it without the schemas.

interface PricedPlace {
  readonly part?: unknown
  readonly name?: unknown
}

/** The rows of `listed` for everything that has no row in `own`. */
export function missingPrices<Row extends PricedPlace>(
  own: readonly PricedPlace[],
  listed: readonly Row[],
): Row[] {
  const known = new Set(own.map(keyOf))
  return listed.filter((row) => !known.has(keyOf(row)))
}

const keyOf = ({ part, name }: PricedPlace): string => `${part} ${name}`
