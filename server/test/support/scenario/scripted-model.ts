// A model that says what it was told to: its answers in order, word by word.
import type { LanguageModel } from '../../../src/ports/language-model.ts'

/** By the caller's turns and not by the requests: a reply may be asked for ahead, thrown away, and asked for again. */
export function scriptedModel(answers: readonly string[]): LanguageModel {
  return {
    async *reply({ messages }, signal) {
      const turns = messages.filter(({ role }) => role === 'user').length
      const answer = answers[Math.min(turns, answers.length) - 1] ?? answers[0] ?? ''
      for (const word of answer.split(/(?<= )/)) {
        if (signal.aborted) return
        yield { type: 'text', text: word }
      }
      yield { type: 'usage', inputTokens: messages.length, outputTokens: answer.split(' ').length }
    },
  }
}
