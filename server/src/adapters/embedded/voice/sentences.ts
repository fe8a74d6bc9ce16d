// Splits a text into sentences, so that the first can play while the next is being synthesized.

// The segmenter would take their full stops for the end of a sentence.
const abbreviation = /\b(?:mr|mrs|ms|dr|prof|st|jr|sr|vs|no|inc|ltd|co|e\.g|i\.e|a\.m|p\.m|[a-z])\.\s*$/i
const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

export function sentencesOf(text: string): string[] {
  const sentences: string[] = []
  let open = ''
  for (const { segment } of segmenter.segment(text)) {
    open += segment
    if (abbreviation.test(open)) continue
    sentences.push(open)
    open = ''
  }
  return [...sentences, open].map(plain).filter(speakable)
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

// A clause of this length without an end was cut because the model was still thinking.
const cutChars = 180

/**
 * With a mark at its end, which decides the melody: text that goes on stays up, text that is over falls. The voices
 * swallow the end of text without a mark.
 */
export const punctuated = (text: string, goesOn: boolean): string =>
  /[.,;:!?]["')\]]*$/.test(text) ? text : `${text}${goesOn || text.length >= cutChars ? ',' : '.'}`

/** The voices read only ASCII and currency signs. */
const plain = (sentence: string) =>
  sentence
    .replace(/[‘’]/g, "'")
    .replace(/[–—]/g, ', ')
    .normalize('NFKD')
    .replace(/[^\x20-\x7e£€₹°]/g, (character) => (/\p{Mark}/u.test(character) ? '' : ' '))
    .replace(/\s+/g, ' ')
    .trim()

const speakable = (sentence: string) => /[a-z0-9]/i.test(sentence)
