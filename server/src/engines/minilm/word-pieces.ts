// BERT's WordPiece tokeniser: lower case, accents removed.

export interface WordPieceVocabulary {
  readonly model: { readonly vocab: Readonly<Record<string, number>> }
}

// Longer words are not worth the search.
const longestWordChars = 100
/** Tokens before they are divided: words, single punctuation marks and single Chinese characters. */
const words = /[\p{P}\p{S}\p{Script=Han}]|[^\s\p{P}\p{S}\p{Script=Han}\p{Cc}]+/gu

export class WordPieces {
  readonly #numbers: ReadonlyMap<string, number>
  readonly #longestPieces: number

  constructor({ model }: WordPieceVocabulary, longestPieces: number) {
    this.#numbers = new Map(Object.entries(model.vocab))
    this.#longestPieces = longestPieces
  }

  /** The tokens of a text with start and end, truncated to the maximum length. */
  numbersOf(text: string): number[] {
    const plain = text
      .toLowerCase()
      .normalize('NFD')
      .replace(/\p{Mn}/gu, '')
    const pieces = (plain.match(words) ?? []).flatMap((word) => this.#piecesOf(word))
    return [this.#number('[CLS]'), ...pieces.slice(0, this.#longestPieces - 2), this.#number('[SEP]')]
  }

  /** Divides a word, longest match first; a word that cannot be covered completely is unknown. */
  #piecesOf(word: string): number[] {
    const unknown = [this.#number('[UNK]')]
    if (word.length > longestWordChars) return unknown
    const pieces: number[] = []
    for (let from = 0; from < word.length; ) {
      const piece = this.#longestFrom(word, from)
      if (!piece) return unknown
      pieces.push(piece.number)
      from = piece.to
    }
    return pieces
  }

  #longestFrom(word: string, from: number): { number: number; to: number } | undefined {
    for (let to = word.length; to > from; to--) {
      const number = this.#numbers.get((from > 0 ? '##' : '') + word.slice(from, to))
      if (number !== undefined) return { number, to }
    }
    return undefined
  }

  #number(mark: string): number {
    const number = this.#numbers.get(mark)
    if (number === undefined) throw new Error(`the vocabulary has no ${mark}`)
    return number
  }
}
