// A model with scripted answers, streamed word by word.
import type { LanguageModel, ModelPart } from '../../../src/ports/language-model.ts'
import { usage } from '../../props/call/scripted-model.ts'
import type { Answer } from './scenario.ts'

/** Counts the caller's turns, not requests: a reply may be requested speculatively, discarded and requested again. */
export function scriptedModel(answers: readonly Answer[]): LanguageModel {
  return {
    async *reply({ messages }, signal) {
      const turns = messages.filter(({ role }) => role === 'user').length
      const answer = answers[Math.min(turns, answers.length) - 1] ?? answers[0] ?? ''
      const isToolDone = messages.at(-1)?.role === 'tool'
      const tool = isToolDone ? undefined : toolCallOf(answer)
      if (tool) yield tool
      const words = wordsOf(answer, tool !== undefined)
      for (const word of words.split(/(?<= )/).filter(Boolean)) {
        if (signal.aborted) return
        yield { type: 'text', text: word }
      }
      yield usage(messages.length, words.split(' ').length)
    },
  }
}

function wordsOf(answer: Answer, isToolCall: boolean): string {
  if (typeof answer === 'string') return answer
  return isToolCall || 'transfer_to' in answer ? '' : answer.says
}

function toolCallOf(answer: Answer): ModelPart | undefined {
  if (typeof answer === 'string') return undefined
  const [name, given] =
    'press' in answer
      ? ['send_dtmf', { digits: answer.press }]
      : ['transfer_call', { destination: answer.transfer_to }]
  return { type: 'tool-call', call: { id: name, name, arguments: JSON.stringify(given) } }
}
