// Whisper's languages, in the order of their tokens, its special tokens and its prompt.

export const whisperLanguages: readonly string[] = [
  'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr',
  'bg lt la mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn',
  'yo so af oc ka be tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jv su',
].flatMap((line) => line.split(' '))

const firstToken = 50_259

export const languageToken = (language: string): number | undefined => {
  const place = whisperLanguages.indexOf(language)
  return place < 0 ? undefined : firstToken + place
}

export const languageTokens = { from: firstToken, to: firstToken + whisperLanguages.length } as const

/** Whether the language separates words with spaces. */
export const isSpaced = (language: string): boolean =>
  !['zh', 'ja', 'th', 'lo', 'my', 'km', 'bo'].includes(language)

export interface LanguageShare {
  readonly language: string
  readonly probability: number
}

// A caller rarely changes the language, and a name or a number may sound like any.
const surelyChanged = 0.8

/** The likeliest language of `among`; the expected one unless it is surely another. */
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

export const whisperEndToken = 50_257
export const whisperStartToken = 50_258
const transcribeToken = 50_359
export const silenceToken = 50_362
const withoutTimesToken = 50_363

export const headWidth = 64

export function promptFor(language: string): number[] {
  const token = languageToken(language)
  if (token === undefined) throw new Error(`whisper does not know the language ${language}`)
  return [whisperStartToken, token, transcribeToken, withoutTimesToken]
}
