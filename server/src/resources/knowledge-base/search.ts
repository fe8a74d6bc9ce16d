// Searches repositories by meaning and by words, and fuses what both find.
import type { Db } from '../../platform/db/db.ts'
import type { Log } from '../../platform/log.ts'
import type { NamedEmbedder } from '../../ports/embedder.ts'
import type { Passage, SearchKnowledge, VectorIndex } from '../../ports/knowledge.ts'
import { chunksById, chunksByWords, wordsIn } from './chunk-store.ts'
import { scoreOf } from './fuse.ts'
import { searchSettings } from './repository-store.ts'
import { Shelf } from './shelf.ts'
import { configurationOf, lookedUp, mostWords, weigh } from './text-search.ts'

export interface KnowledgeSearchOptions {
  readonly db: Db
  readonly log: Log
  readonly embedder: NamedEmbedder
  readonly index: VectorIndex
  readonly memoryBytes: number
  readonly idleMs: number
  /** What is searched by; benchmarks compare them. Default: both. */
  readonly by?: 'both' | 'meaning' | 'words'
}

export interface KnowledgeSearch {
  readonly search: SearchKnowledge
  /** Loads the vectors of repositories and the embedder before they are needed. */
  prepare(repositoryIds: readonly string[]): Promise<void>
  /** Memory that vectors take. */
  readonly bytes: number
  close(): Promise<void>
}

// Of each kind; the best of both are among them.
const candidates = 50

export function openKnowledgeSearch(options: KnowledgeSearchOptions): KnowledgeSearch {
  const { db, log, embedder, index, by = 'both' } = options
  let dimensions: Promise<number> | undefined
  const shelf = new Shelf({
    ...options,
    embedder: embedder.name,
    dimensions: () => (dimensions ??= embedder.embed(['Hello.']).then(([vector]) => vector?.length ?? 0)),
  })

  /** Undefined if the embedder fails: words have to do then. */
  const vectorOf = async (query: string, signal?: AbortSignal): Promise<Float32Array | undefined> => {
    if (by === 'words') return undefined
    try {
      return (await embedder.embed([query], signal))[0]
    } catch (err) {
      signal?.throwIfAborted()
      log.warn({ err }, 'a question to the knowledge base was not embedded')
      return undefined
    }
  }

  const searchOne = async (
    repositoryId: string,
    configuration: string,
    query: string,
    embed: () => Promise<Float32Array | undefined>,
    signal?: AbortSignal,
  ): Promise<Passage[]> => {
    // At once if it is loaded. An empty repository needs no embedder.
    const counts = await shelf.use(repositoryId)
    if (counts.passages === 0) return []
    const embedding = embed()
    const stems = await wordsIn(db, configuration, query)
    const words = weigh(stems, counts).slice(0, mostWords)
    const spoken =
      by === 'meaning' ? [] : await chunksByWords(db, repositoryId, words, lookedUp(words), candidates)
    const vector = await embedding
    signal?.throwIfAborted()
    const wanted = spoken.map(({ chunk_id }) => chunk_id)
    const near = vector
      ? await index.nearest({ repositoryIds: [repositoryId], vector, most: candidates, wanted }, signal)
      : []
    const similarities = new Map(near.map(({ chunkId, similarity }) => [chunkId, similarity]))
    const chunks = await chunksById(db, [...new Set([...similarities.keys(), ...wanted])], words)
    return chunks.map((chunk) => ({
      documentId: chunk.document_id,
      chunkId: chunk.chunk_id,
      title: chunk.title,
      heading: chunk.heading,
      text: chunk.content,
      score: rounded(
        by === 'meaning'
          ? (similarities.get(chunk.chunk_id) ?? 0)
          : scoreOf({
              similarity: vector && (similarities.get(chunk.chunk_id) ?? 0),
              coverage: chunk.coverage,
            }),
      ),
    }))
  }

  return {
    async search({ repositoryIds, query, topK }, signal) {
      const ids = [...new Set(repositoryIds.map((id) => id.toLowerCase()))]
      let embedding: Promise<Float32Array | undefined> | undefined
      const embed = () => {
        embedding ??= vectorOf(query, signal)
        // Rejections are seen where it is awaited.
        embedding.catch(() => {})
        return embedding
      }
      const repositories = await searchSettings(db, ids)
      const most = topK ?? Math.max(1, ...repositories.map(({ top_k }) => top_k))
      const found = await Promise.all(
        repositories.map(({ repository_id: id, language }) =>
          searchOne(id, configurationOf(language), query, embed, signal),
        ),
      )
      return found
        .flat()
        .sort((one, other) => other.score - one.score)
        .slice(0, most)
    },
    async prepare(repositoryIds) {
      await Promise.all([...repositoryIds.map((id) => shelf.use(id.toLowerCase())), vectorOf('Hello.')])
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
