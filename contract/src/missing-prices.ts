// How prices of a public list join those of a workspace.
// Free of zod, so that a browser can have it without the schemas.

interface PricedPlace {
  readonly part?: unknown
  readonly name?: unknown
}

/** The rows of a list for what has no row yet. */
export function missingPrices<Row extends PricedPlace>(
  own: readonly PricedPlace[],
  listed: readonly Row[],
): Row[] {
  const known = new Set(own.map(keyOf))
  return listed.filter((row) => !known.has(keyOf(row)))
}

const keyOf = ({ part, name }: PricedPlace): string => `${part} ${name}`
