// Passages whose vectors are searched in the database as soon as they are indexed there; in memory until then. Their words
// are always in memory.
import { isUndefined, type Queries } from '../../../platform/db/db.ts'
import type { Log } from '../../../platform/log.ts'
import type { FoundPassage, PassageIndex, PassageQuestion } from '../../../ports/knowledge.ts'
import { isIndexed, similaritiesTo } from './vector-store.ts'

export interface VectorIndexOptions {
  readonly db: Queries
  readonly log: Log
  /** The name of the embedder whose vectors are wanted. */
  readonly embedder: string
  readonly memory: PassageIndex
  /** How many numbers are compared one by one before an index is worth it. */
  readonly mostCompared?: number
}

// 5,000 vectors of 384 dimensions: a few milliseconds by estimate, and exact.
const comparedAtMost = 2_000_000

export function openVectorIndex({
  db,
  log,
  embedder,
  memory,
  mostCompared = comparedAtMost,
}: VectorIndexOptions): PassageIndex {
  /** The repositories whose vectors are not in memory. */
  const inDatabase = new Set<string>()
  const losers: (() => void)[] = []
  let isBroken = false

  /** Somebody dropped the index, the table or the extension. This process does not try it again. */
  const giveUp = (err: unknown) => {
    log.warn({ err }, 'vectors cannot be searched in the database any more, and are loaded into memory')
    isBroken = true
    for (const repositoryId of inDatabase) memory.drop(repositoryId)
    inDatabase.clear()
    for (const tell of losers) tell()
  }

  const similarities = async (
    question: PassageQuestion,
    vector: Float32Array,
    further: readonly string[],
  ) => {
    try {
      return await similaritiesTo(db, { ...question, embedder, vector, mostCompared, further })
    } catch (error) {
      if (!isUndefined(error)) throw error
      giveUp(error)
      return undefined
    }
  }

  return {
    async takesVectors(repositoryId, dimensions) {
      if (isBroken || !(await isIndexed(db, { embedder, dimensions }))) inDatabase.delete(repositoryId)
      else inDatabase.add(repositoryId)
      return !inDatabase.has(repositoryId)
    },
    put: memory.put,
    remove: memory.remove,
    drop: memory.drop,
    async find(question, signal) {
      const { repositoryId, vector } = question
      if (!vector || !inDatabase.has(repositoryId)) return memory.find(question, signal)
      const wordsOnly = { ...question, vector: undefined }
      const byWords = await memory.find(wordsOnly, signal)
      const similarity = await similarities(question, vector, idsOf(byWords))
      if (!similarity) return byWords
      const known = new Set(idsOf(byWords))
      const near = [...similarity.keys()].filter((chunkId) => !known.has(chunkId))
      // Those that are not in memory yet have no words there; the next question knows them.
      const further = await memory.find({ ...wordsOnly, most: 0, further: near }, signal)
      return [...byWords, ...further].map((passage) => ({
        ...passage,
        similarity: similarity.get(passage.chunkId),
      }))
    },
    get bytes() {
      return memory.bytes
    },
    onLost(listener) {
      losers.push(listener)
      memory.onLost(listener)
    },
    close: memory.close,
  }
}

const idsOf = (passages: readonly FoundPassage[]): string[] => passages.map(({ chunkId }) => chunkId)
