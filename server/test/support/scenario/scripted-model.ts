// A model with scripted answers, streamed word by word.
import type { LanguageModel } from '../../../src/ports/language-model.ts'

/** Counts the caller's turns, not requests: a reply may be requested speculatively, discarded and requested again. */
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
