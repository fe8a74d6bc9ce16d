// The media thread's way to the knowledge base, which is in the main thread with the database.
import { tracingChannel } from 'node:diagnostics_channel'
import type { CallKnowledge, Passage } from '../ports/knowledge.ts'
import type { FromMedia, ToMedia } from './media-messages.ts'

/** Questions under way, for tests that wait until a thread is idle. */
export const knowledgeQuestions = tracingChannel<'parley:knowledge-question', object>(
  'parley:knowledge-question',
)

type Answered = Extract<ToMedia, { type: 'passages' }>

export function knowledgeOver(
  post: (message: FromMedia) => void,
): CallKnowledge & { receive(message: Answered): void } {
  const asked = new Map<number, PromiseWithResolvers<readonly Passage[]>>()
  let nextId = 0
  return {
    search: (question) =>
      knowledgeQuestions.tracePromise(() => {
        const id = nextId++
        const answer = Promise.withResolvers<readonly Passage[]>()
        asked.set(id, answer)
        post({ type: 'knowledge', id, question })
        return answer.promise
      }, {}),
    prepare: (repositoryIds) => post({ type: 'prepare-knowledge', repositoryIds }),
    receive({ id, passages, error }) {
      const answer = asked.get(id)
      asked.delete(id)
      if (passages) answer?.resolve(passages)
      else answer?.reject(new Error(error))
    },
  }
}
