// The language model for those who have none: a built-in dialogue policy, and it says so. No weights are needed.
import type { Embedder } from '../../../ports/embedder.ts'
import type { ChatMessage, LanguageModel, ModelRequest } from '../../../ports/language-model.ts'
import { decide } from './decide.ts'
import type { Closeness } from './match-facts.ts'
import { meanings } from './meanings.ts'
import { readBrief } from './read-brief.ts'

export const mindName = 'built-in dialogue policy, not a language model'

/** With an embedder, questions find their facts by meaning too. */
export function embeddedMind(embedder?: Embedder): LanguageModel {
  const measure = embedder && meanings(embedder)
  return {
    async *reply(request, signal) {
      const brief = readBrief(contentOf(request.messages, 'system').join('\n'))
      const said = contentOf(request.messages, 'user')
      const known = brief.facts.map(({ about }) => about)
      const byMeaning: Closeness | undefined = await measure?.([...known, ...said], signal)
      if (signal.aborted) return
      const { text, ends } = decide(brief, request.messages, byMeaning)
      for (const word of text.match(/\S+\s*/g) ?? []) {
        if (signal.aborted) return
        yield { type: 'text', text: word }
      }
      if (ends && canEnd(request)) {
        yield { type: 'tool-call', call: { id: 'end', name: 'end_call', arguments: '{}' } }
      }
    },
  }
}

const contentOf = (messages: readonly ChatMessage[], role: ChatMessage['role']): string[] =>
  messages.filter((message) => message.role === role).map(({ content }) => content)

const canEnd = ({ tools }: ModelRequest): boolean => tools.some(({ name }) => name === 'end_call')
