// Splits the text that a model streams into pieces that can be spoken.
//
// The first piece is short, so that something is heard soon; the others are whole sentences, which sound best unbroken.

// Fewer words sound chopped, and a synthesizer pauses before each piece.
const firstClauseWords = 3
// Beyond this a sentence is cut at its next comma, and beyond the second limit at any word boundary.
const longClause = 140
const longestClause = 240

const abbreviations = new Set(
  'mr mrs ms dr prof sr jr st ave rd blvd no vs etc e.g i.e approx dept est inc ltd co a.m p.m u.s'.split(
    ' ',
  ),
)

/** Punctuation alone cannot be spoken. */
export const isSpeakable = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

/** Splits a text that is complete. */
export function clausesOf(text: string): readonly string[] {
  const cutter = new ClauseCutter()
  return [...cutter.push(text), ...cutter.flush()]
}

export class ClauseCutter {
  #rest = ''
  #isFirst = true

  push(text: string): readonly string[] {
    this.#rest += text
    const clauses: string[] = []
    for (let at = this.#cut(); at > 0; at = this.#cut()) clauses.push(...this.#take(at))
    return clauses
  }

  /** Returns the remainder at the end of the text. */
  flush(): readonly string[] {
    return this.#take(this.#rest.length)
  }

  #take(length: number): readonly string[] {
    const clause = withoutMarkup(this.#rest.slice(0, length)).replace(/\s+/g, ' ').trim()
    this.#rest = this.#rest.slice(length)
    if (!isSpeakable(clause)) return []
    this.#isFirst = false
    return [clause]
  }

  /** The position where the next piece ends; 0 while it is unknown. */
  #cut(): number {
    const text = this.#rest
    for (const { index, 0: mark } of text.matchAll(
      /(?<![.!?…])[.!?…]+["')\]*_`]*\s|[。！？।]|[,;:–—]\s|\n/gu,
    )) {
      const before = text.slice(0, index)
      if (!isSpeakable(before)) continue
      const end = index + mark.length
      if (/^[,;:–—]/u.test(mark) ? this.#mayPause(before) : endsSentence(before, mark)) return end
    }
    if (text.length < longestClause) return 0
    const space = text.lastIndexOf(' ', longestClause)
    return space > 0 ? space + 1 : longestClause
  }

  /** Numbers are not cut: "5, 5, 5" is spoken without a pause. */
  #mayPause(before: string): boolean {
    if (/\d$/.test(before)) return false
    const words = before.trim().split(/\s+/).length
    return this.#isFirst ? words >= firstClauseWords : before.length >= longClause
  }
}

/** Removes markup, which would be read aloud. What only looks like it stays: "#7734", "* or #", `jo_doe@mail.example`. */
const withoutMarkup = (text: string) =>
  text
    .replace(/`+/g, '')
    .replace(/^[ \t]*(?:#{1,6}|[*+•-])\s+/gm, '')
    .replace(
      /(?:(?<![\w*])\*+|(?<!\w)_+)(?=[\p{L}\p{N}"'(])|(?<=[\p{L}\p{N}"').,!?:;])(?:\*+|_+)(?!\w)/gu,
      '',
    )
    // Marks whose other half is in another clause.
    .replace(/\*{2,}|_{2,}/g, '')

function endsSentence(before: string, mark: string): boolean {
  if (!mark.startsWith('.')) return true
  const last =
    before
      .trim()
      .split(/\s+/)
      .at(-1)
      ?.toLowerCase()
      .replace(/^[*_"'(]+/, '') ?? ''
  // "Dr. Lee", "J. Lee", and the "1." of a list.
  const isInitial = /^\p{L}$/u.test(last) && last !== 'i'
  const isListNumber = /^\d+$/.test(before.trim())
  return !abbreviations.has(last) && !isInitial && !isListNumber
}
