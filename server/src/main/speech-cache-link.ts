// The media thread's way to kept speech, which is in the main thread with the database and the storage.
import { tracingChannel } from 'node:diagnostics_channel'
import type { CallSpeechCache } from '../ports/speech-cache.ts'
import type { FromMedia, ToMedia } from './media-messages.ts'

/** Lookups under way, for tests that wait until a thread is idle. */
export const speechLookups = tracingChannel<'parley:speech-lookup', object>('parley:speech-lookup')

type Found = Extract<ToMedia, { type: 'speech' }>

export function speechCacheOver(
  post: (message: FromMedia) => void,
): CallSpeechCache & { receive(message: Found): void } {
  const asked = new Map<number, (files: Found['files']) => void>()
  let nextId = 0
  return {
    find: (lookup) =>
      speechLookups.tracePromise(() => {
        const id = nextId++
        const { promise, resolve } = Promise.withResolvers<Found['files']>()
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
