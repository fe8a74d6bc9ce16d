// What the caller has heard of an answer before it broke off: a model that is asked for the rest may begin again, and
// nothing is said twice.
import type { ChatMessage } from '../../ports/language-model.ts'
import { clausesOf } from './clauses.ts'

// A model may set other punctuation the second time.
const letter = /[\p{L}\p{M}\p{N}]/u

const lettersOf = (text: string): string =>
  [...text.toLowerCase()].filter((sign) => letter.test(sign)).join('')

export class SaidBefore {
  /** The letters of the clauses that may be repeated; once a repetition has begun, those that it must go on with. */
  #clauses: readonly string[]

  /** The conversation ends with the agent's own words only if its answer broke off. */
  constructor(conversation: readonly ChatMessage[]) {
    const last = conversation.at(-1)
    this.#clauses = last?.role === 'assistant' ? clausesOf(last.content).map(lettersOf) : []
  }

  /** What the caller has not heard of the next clause of the answer. The first that is new ends the repetition. */
  newIn(clause: string): string {
    const letters = lettersOf(clause)
    if (this.#clauses.length === 0 || letters === '') return clause
    const known = this.#clauses
    this.#clauses = []
    for (const place of known.keys()) {
      const heard = known.slice(place).join('')
      if (heard === '') break
      if (heard.startsWith(letters)) {
        this.#clauses = [heard.slice(letters.length)]
        return ''
      }
      if (letters.startsWith(heard)) return withoutLetters(clause, heard.length) ?? clause
    }
    return clause
  }
}

/** The text after so many letters; undefined if a word would be cut. */
function withoutLetters(text: string, count: number): string | undefined {
  let left = count
  let end = 0
  for (const sign of text) {
    if (left === 0) break
    end += sign.length
    if (letter.test(sign)) left -= sign.toLowerCase().length
  }
  const rest = text.slice(end)
  return /^\s*$|^[^\p{L}\p{M}\p{N}]/u.test(rest) ? rest.replace(/^[^\p{L}\p{M}\p{N}]+/u, '') : undefined
}
