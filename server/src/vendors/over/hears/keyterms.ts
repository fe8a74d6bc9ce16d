// How many keyterms a transcriber takes: the others are left out, and who asked for them is told.
import type { KeytermLimits, TranscriberAbilities, TranscriberOptions } from '../../../ports/transcriber.ts'

type TakesKeyterms = Pick<TranscriberAbilities, 'keyterms'>

// Names are cut into short tokens: of Latin letters about three bytes each, of most other scripts one letter.
const bytesPerToken = 3

const tokensIn = (term: string): number => Math.ceil(Buffer.byteLength(term) / bytesPerToken)

const limitsOf = ({ keyterms }: TakesKeyterms): KeytermLimits =>
  typeof keyterms === 'object' ? keyterms : {}

/** In their order, so the most important ones come first. */
function taken(terms: readonly string[], limits: KeytermLimits): readonly string[] {
  const { most, mostChars = Number.POSITIVE_INFINITY, mostTokens = Number.POSITIVE_INFINITY } = limits
  let tokens = 0
  return terms
    .filter((term) => term.length <= mostChars)
    .slice(0, most)
    .filter((term) => {
      const fits = tokens + tokensIn(term) <= mostTokens
      if (fits) tokens += tokensIn(term)
      return fits
    })
}

/** The wishes with the keyterms that the vendor takes. */
export const withinLimits = <Options extends TranscriberOptions>(
  options: Options,
  abilities: TakesKeyterms,
): Options =>
  options.keyterms ? { ...options, keyterms: taken(options.keyterms, limitsOf(abilities)) } : options

// Enough to see which ones they are.
const mostNamed = 3

/** Which keyterms are left out, and why; undefined: none. */
export function leftOutKeyterms(
  label: string,
  abilities: TakesKeyterms,
  terms: readonly string[],
): string | undefined {
  const limits = limitsOf(abilities)
  const kept = new Set(taken(terms, limits))
  const left = terms.filter((term) => !kept.has(term))
  if (left.length === 0) return undefined
  const others = left.length - mostNamed
  const named = new Intl.ListFormat('en').format([
    ...left.slice(0, mostNamed).map((term) => `"${term}"`),
    ...(others > 0 ? [`${others} more`] : []),
  ])
  return `${label} takes ${inWords(limits)}: ${named} ${left.length > 1 ? 'are' : 'is'} left out.`
}

const inWords = ({ most, mostChars, mostTokens }: KeytermLimits): string =>
  [
    most === undefined ? 'keywords' : `at most ${most} keywords`,
    ...(mostChars === undefined ? [] : [`of at most ${mostChars} characters each`]),
    ...(mostTokens === undefined
      ? []
      : [`of about ${(mostTokens * bytesPerToken).toLocaleString('en')} letters altogether`]),
  ].join(', ')
