// Words as a model said them and as they come back, which may differ in signs, spaces and case.

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** Where words end in what was said, in letters; `from`: they are looked for from there on. Undefined: they are not in it. */
export function placeInSpeech(words: string, said: string, from = 0): { readonly to: number } | undefined {
  const letters = lettersOf(words)
  const at = lettersOf(said).indexOf(letters, from)
  return at < 0 ? undefined : { to: at + letters.length }
}

/** Whether the words are part of what was said. */
export const contains = (said: string, words: string): boolean => placeInSpeech(words, said) !== undefined
