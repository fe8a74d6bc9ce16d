// The languages that an agent may have without a vendor's key, and why not the others: decided by
// bench/spoken-languages.ts, listed in docs/guide/languages.md.
import { languageName } from '../platform/language-names.ts'
import { kokoroLanguages } from './kokoro/languages.ts'

/**
 * Languages with a voice of which too many words are heard wrongly. An agent that falls back from a vendor still gets
 * it: an English voice would say nothing at all.
 */
const notYet: Readonly<Record<string, string>> = {
  hi: 'two of five words are heard wrongly',
}

/** The languages that the offline voices speak well enough. */
export const spokenOffline: readonly string[] = ['en', ...Object.keys(kokoroLanguages)].filter(
  (code) => !Object.hasOwn(notYet, code),
)

/** Why the offline voices do not speak a language, in one sentence; undefined: they do. `code`: as in `de`. */
export function whyNotOffline(code: string): string | undefined {
  if (spokenOffline.includes(code)) return undefined
  const reason = notYet[code]
  return (
    `The offline voices do not speak ${languageName(code)}${reason ? `: ${reason}` : ''}. ` +
    `They speak ${listed.format(spokenOffline.map(languageName))}.`
  )
}

const listed = new Intl.ListFormat('en', { type: 'conjunction' })
