// Searches repositories by meaning and by words, and fuses what both find.
import type { Db } from '../../platform/db/db.ts'
import type { Log } from '../../platform/log.ts'
import type { NamedEmbedder } from '../../ports/embedder.ts'
import type { FoundPassage, PassageIndex, SearchKnowledge } from '../../ports/knowledge.ts'
import { chunksById } from './chunk-store.ts'
import { questionTo } from './repository-store.ts'
import { Shelf } from './shelf.ts'

export interface KnowledgeSearchOptions {
  readonly db: Db
  readonly log: Log
  readonly embedder: NamedEmbedder
  readonly index: PassageIndex
  readonly memoryBytes: number
  readonly idleMs: number
  /** The ways of searching, which benchmarks compare. Default: both. */
  readonly by?: 'both' | 'meaning' | 'words'
}

export interface KnowledgeSearch {
  readonly search: SearchKnowledge
  /** Loads repositories and the embedder before they are needed. */
  prepare(repositoryIds: readonly string[]): Promise<void>
  /** Memory that words and vectors take. */
  readonly bytes: number
  close(): Promise<void>
}

// Passages found by words, and as many by vectors; the best of both are among them.
const candidates = 50
// Passages that were deleted a moment ago are still in memory: some more than are wanted are read.
const spare = 5

export function openKnowledgeSearch(options: KnowledgeSearchOptions): KnowledgeSearch {
  const { db, log, embedder, index, by = 'both' } = options
  let dimensions: Promise<number> | undefined
  const shelf = new Shelf({
    ...options,
    embedder: embedder.name,
    dimensions(repositoryId) {
      dimensions ??= embedder
        .embed(['Hello.'], undefined, repositoryId)
        .then(([vector]) => vector?.length ?? 0)
      // The next question asks again.
      dimensions.catch(() => (dimensions = undefined))
      return dimensions
    },
  })

  /** Undefined if the embedder fails: words have to do then. */
  const vectorOf = async (
    query: string,
    repositoryId: string | undefined,
    signal?: AbortSignal,
  ): Promise<Float32Array | undefined> => {
    if (by === 'words') return undefined
    try {
      return (await embedder.embed([query], signal, repositoryId))[0]
    } catch (err) {
      signal?.throwIfAborted()
      log.warn({ err }, 'a question to the knowledge base was not embedded')
      return undefined
    }
  }

  const scored = ({ chunkId, similarity, coverage }: FoundPassage) => ({
    chunkId,
    score: rounded(by === 'meaning' ? (similarity ?? 0) : scoreOf({ similarity, coverage })),
  })

  return {
    async search({ repositoryIds, query, topK }, signal) {
      const ids = [...new Set(repositoryIds.map((id) => id.toLowerCase()))]
      let embedding: Promise<Float32Array | undefined> | undefined
      const embed = () => {
        // All repositories of a question belong to one workspace, so one embedding serves them.
        embedding ??= vectorOf(query, ids[0], signal)
        // A rejection is handled where the promise is awaited.
        embedding.catch(() => {})
        return embedding
      }
      // The embedding takes longest, so it begins first; but an empty repository needs none.
      if (ids.some((id) => shelf.holds(id))) embed()
      const repositories = await questionTo(db, ids, query)
      const found = await Promise.all(
        repositories.map(async ({ repository_id: repositoryId, words }) => {
          // At once if it is loaded.
          const passages = await shelf.use(repositoryId)
          if (passages === 0) return []
          const vector = await embed()
          const stems = by === 'meaning' ? [] : words
          return index.find({ repositoryId, passages, vector, words: stems, most: candidates }, signal)
        }),
      )
      const most = topK ?? Math.max(1, ...repositories.map(({ top_k }) => top_k))
      const best = found
        .flat()
        .map(scored)
        .sort((one, other) => other.score - one.score)
        .slice(0, most + spare)
      if (best.length === 0) return []
      const chunks = await chunksById(
        db,
        best.map(({ chunkId }) => chunkId),
      )
      const stored = new Map(chunks.map((chunk) => [chunk.chunk_id, chunk]))
      return best
        .flatMap(({ chunkId, score }) => {
          const chunk = stored.get(chunkId)
          if (!chunk) return []
          const { document_id: documentId, title, heading, content: text } = chunk
          return [{ documentId, chunkId, title, heading, text, score }]
        })
        .slice(0, most)
    },
    async prepare(repositoryIds) {
      const ids = repositoryIds.map((id) => id.toLowerCase())
      await Promise.all([...ids.map((id) => shelf.use(id)), vectorOf('Hello.', ids[0])])
    },
    get bytes() {
      return shelf.bytes
    },
    async close() {
      await shelf.close()
      await index.close()
    },
  }
}

const rounded = (score: number): number => Math.round(score * 10_000) / 10_000

/** What is known of a passage. */
interface Signs {
  /** The cosine of the angle between question and passage; undefined: there are no vectors. */
  readonly similarity: number | undefined
  /** The share of the question's words that it has, the rare ones counting more. */
  readonly coverage: number
}

/** Decided on half A of the questions in bench/knowledge/questions.json; see bench/knowledge-recall.ts. */
const weights = { meaning: 0.65, words: 0.35 } as const

const scoreOf = ({ similarity, coverage }: Signs): number =>
  // Without vectors words have to do, and are worth as much as they usually are together with a meaning.
  similarity === undefined
    ? coverage * 0.75
    : weights.meaning * Math.max(0, similarity) + weights.words * coverage
