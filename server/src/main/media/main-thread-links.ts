// The media thread's ways to the knowledge base and to kept speech, which are in the main thread with the database.
import { tracingChannel } from 'node:diagnostics_channel'
import type { CallKnowledge, Passage } from '../../ports/knowledge.ts'
import type { CallSpeechCache } from '../../ports/speech-cache.ts'
import type { FromMedia, ToMedia } from './media-messages.ts'

/** Questions under way, for tests that wait until a thread is idle. */
export const knowledgeQuestions = tracingChannel<'parley:knowledge-question', object>(
  'parley:knowledge-question',
)

type PassagesMessage = Extract<ToMedia, { type: 'passages' }>

export function knowledgeOver(
  post: (message: FromMedia) => void,
): CallKnowledge & { receive(message: PassagesMessage): void } {
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

/** Lookups under way, for tests that wait until a thread is idle. */
export const speechLookups = tracingChannel<'parley:speech-lookup', object>('parley:speech-lookup')

type SpeechMessage = Extract<ToMedia, { type: 'speech' }>

export function speechCacheOver(
  post: (message: FromMedia) => void,
): CallSpeechCache & { receive(message: SpeechMessage): void } {
  const asked = new Map<number, (files: SpeechMessage['files']) => void>()
  let nextId = 0
  return {
    find: (lookup) =>
      speechLookups.tracePromise(() => {
        const id = nextId++
        const { promise, resolve } = Promise.withResolvers<SpeechMessage['files']>()
        asked.set(id, resolve)
        post({ type: 'find-speech', id, lookup })
        return promise
      }, {}),
    warm: (agentId) => post({ type: 'warm-speech', agentId }),
    receive({ id, files }) {
      asked.get(id)?.(files)
      asked.delete(id)
    },
  }
}
