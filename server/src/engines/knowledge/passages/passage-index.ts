// The words and vectors of repositories in a thread of their own, so that no search delays a request or a call.
import { Worker } from 'node:worker_threads'
import type {
  FoundPassage,
  PassageIndex,
  PassageQuestion,
  PassagesOfDocument,
} from '../../../ports/knowledge.ts'

export type ToPassages =
  | {
      readonly type: 'put'
      readonly repositoryId: string
      readonly dimensions: number
      readonly documents: readonly PassagesOfDocument[]
    }
  | { readonly type: 'remove'; readonly repositoryId: string; readonly documentIds: readonly string[] }
  /** Frees the memory of a repository. */
  | { readonly type: 'drop'; readonly repositoryId: string }
  | ({ readonly type: 'find'; readonly id: number } & PassageQuestion)

export type FromPassages =
  | { readonly type: 'found'; readonly id: number; readonly found: readonly FoundPassage[] }
  | { readonly type: 'size'; readonly repositoryId: string; readonly bytes: number }

const thread = new URL('./passage-thread.ts', import.meta.url)

/** Opens an index, whose thread starts with the first passages. */
export function openPassageIndex(): PassageIndex {
  const asked = new Map<number, PromiseWithResolvers<readonly FoundPassage[]>>()
  const sizes = new Map<string, number>()
  const losers: (() => void)[] = []
  let worker: Worker | undefined
  let nextId = 0

  const receive = (message: FromPassages) => {
    if (message.type === 'size') return void sizes.set(message.repositoryId, message.bytes)
    asked.get(message.id)?.resolve(message.found)
    asked.delete(message.id)
  }
  const onExit = (died: Worker) => {
    if (worker !== died) return
    worker = undefined
    sizes.clear()
    for (const { reject } of asked.values()) reject(new Error('The search of the knowledge base broke down.'))
    asked.clear()
    for (const tell of losers) tell()
  }
  const start = (): Worker => {
    const started = new Worker(thread, { execArgv: [] })
    started.on('message', receive)
    // The exit event follows.
    started.on('error', () => {})
    started.on('exit', () => onExit(started))
    started.unref()
    return started
  }
  const post = (message: ToPassages, transfer: readonly ArrayBuffer[] = []) => {
    worker ??= start()
    worker.postMessage(message, [...transfer])
  }

  return {
    takesVectors: async () => true,
    put: (repositoryId, dimensions, documents) =>
      post(
        { type: 'put', repositoryId, dimensions, documents },
        documents.flatMap(({ vectors }) => (vectors ? [vectors.buffer] : [])),
      ),
    remove(repositoryId, documentIds) {
      if (worker && documentIds.length > 0) post({ type: 'remove', repositoryId, documentIds })
    },
    drop(repositoryId) {
      sizes.delete(repositoryId)
      if (worker) post({ type: 'drop', repositoryId })
    },
    async find(question, signal) {
      signal?.throwIfAborted()
      if (!worker) return []
      const id = nextId++
      const answer = Promise.withResolvers<readonly FoundPassage[]>()
      asked.set(id, answer)
      post({ type: 'find', id, ...question })
      return answer.promise
    },
    get bytes() {
      return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0)
    },
    onLost: (listener) => void losers.push(listener),
    async close() {
      await worker?.terminate()
    },
  }
}
