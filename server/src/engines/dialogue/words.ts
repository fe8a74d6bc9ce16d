// Text normalised for comparison: lower case, no punctuation, single spaces.

export const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[’‘`]/g, "'")
    .replace(/[^\p{Letter}\p{Number}@+'.:/-]+/gu, ' ')
    .replace(/(?<![.:/-])[.:/-]+(?=\s|$)/g, '')
    .replace(/\s+/g, ' ')
    .trim()

export const comparableWords = (text: string): string[] => plain(text).split(' ').filter(Boolean)

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export const small = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** A sentence with a capital and final punctuation. */
export const withFullStop = (text: string): string => {
  // A recognizer ends what is cut off with a comma.
  const trimmed = capital(text.trim().replace(/(?<![,;:])[,;:]+$/, ''))
  return /[.!?…]["'”]?$/.test(trimmed) || trimmed === '' ? trimmed : `${trimmed}.`
}

const abbreviation = /(?:\b(?:mr|mrs|ms|dr|prof|st|no|vs|e\.g|i\.e))\.$/i

// This bounds the work on abusive input.
const longestSentenceChars = 1_000

export function plainSentences(text: string): string[] {
  const sentences: string[] = []
  for (const piece of text.split(/(?<=[.!?]["'”)]?)\s+(?=["'“(¿¡\p{Lu}\p{N}])/u)) {
    const last = sentences.at(-1)
    if (last !== undefined && abbreviation.test(last)) sentences[sentences.length - 1] = `${last} ${piece}`
    else sentences.push(piece)
  }
  return sentences.map((one) => one.trim().slice(0, longestSentenceChars)).filter(Boolean)
}
