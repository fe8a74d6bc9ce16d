// The language of a recording, from what a vendor says about its parts.
import { codeOfLanguage } from '../../../platform/language-names.ts'

/** The language of most of the text. */
export function mostSpoken(
  parts: readonly { readonly language?: string | null | undefined; readonly text: string }[],
): string | null {
  const letters = new Map<string, number>()
  for (const { language, text } of parts)
    if (language) letters.set(language, (letters.get(language) ?? 0) + text.length)
  const [most] = [...letters].sort(([, one], [, other]) => other - one)
  return most ? codeOfLanguage(most[0]) : null
}
