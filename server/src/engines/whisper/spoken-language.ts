// Which language a caller speaks, if it may change from sentence to sentence. Pure.

export interface LanguageShare {
  readonly language: string
  readonly probability: number
}

// A caller rarely changes the language, and a name or a number may sound like any.
const surelyChanged = 0.8

/** The likeliest of `among`, but the expected one unless it is surely another. */
export function spokenLanguage(
  shares: readonly LanguageShare[],
  { among, expected }: { readonly among: readonly string[]; readonly expected: string | undefined },
): string {
  const own = shares.filter(({ language }) => among.includes(language))
  const whole = own.reduce((sum, { probability }) => sum + probability, 0)
  const [likeliest] = own.toSorted((a, b) => b.probability - a.probability)
  if (!likeliest) throw new Error('none of the wanted languages is known')
  if (expected === undefined) return likeliest.language
  return likeliest.probability >= surelyChanged * whole ? likeliest.language : expected
}
