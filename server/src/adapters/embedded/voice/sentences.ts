// Splits a text into sentences, so that the first can play while the next is being synthesized.

// The segmenter would take their full stops for the end of a sentence.
const abbreviation = /\b(?:mr|mrs|ms|dr|prof|st|jr|sr|vs|no|inc|ltd|co|e\.g|i\.e|a\.m|p\.m|[a-z])\.\s*$/i
const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** `letters`: which the voice can read. */
export function sentencesOf(text: string, letters: 'ascii' | 'any' = 'ascii'): string[] {
  const sentences: string[] = []
  let open = ''
  for (const { segment } of segmenter.segment(text)) {
    open += segment
    if (abbreviation.test(open)) continue
    sentences.push(open)
    open = ''
  }
  return [...sentences, open].map(letters === 'ascii' ? plain : evenlySpaced).filter(speakable)
}

/** A long sentence is split after a comma, or else at a space. */
export function shortened(sentence: string, longestChars: number): string[] {
  if (sentence.length <= longestChars) return [sentence]
  const head = sentence.slice(0, longestChars)
  const comma = head.lastIndexOf(', ')
  const space = head.lastIndexOf(' ')
  const place = comma > longestChars / 3 ? comma + 1 : space > 0 ? space : longestChars
  return [sentence.slice(0, place), ...shortened(sentence.slice(place).trim(), longestChars)]
}

const evenlySpaced = (sentence: string) => sentence.replace(/[–—]/g, ', ').replace(/\s+/g, ' ').trim()

/** The English voices read only ASCII and currency signs. */
const plain = (sentence: string) =>
  sentence
    .replace(/[‘’]/g, "'")
    .replace(/[–—]/g, ', ')
    .normalize('NFKD')
    .replace(/[^\x20-\x7e£€₹°]/g, (character) => (/\p{Mark}/u.test(character) ? '' : ' '))
    .replace(/\s+/g, ' ')
    .trim()

const speakable = (sentence: string) => /[\p{L}\p{N}]/u.test(sentence)
