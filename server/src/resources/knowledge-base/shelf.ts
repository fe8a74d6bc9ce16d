// Which repositories have their vectors in memory: loaded with the first question, kept fresh by notices of the
// database, let go when they are idle or others need the room.
import type { Db, Queries } from '../../platform/db/db.ts'
import type { Log } from '../../platform/log.ts'
import type { VectorIndex, VectorsOfDocument } from '../../ports/knowledge.ts'
import { type DocumentVersion, documentVersions, vectorsOf, wordCounts } from './chunk-store.ts'
import type { WordCounts } from './text-search.ts'

export interface ShelfOptions {
  readonly db: Db
  readonly index: VectorIndex
  /** The name of the embedder whose vectors are wanted. */
  readonly embedder: string
  readonly dimensions: () => Promise<number>
  readonly memoryBytes: number
  readonly idleMs: number
  readonly log: Log
}

interface Loaded {
  readonly versions: Map<string, DocumentVersion>
  words: WordCounts
  bytes: number
  usedAtMs: number
  isStale: boolean
  /** The repository is too large for the memory: it is searched by words alone. */
  isTooLarge: boolean
  loading: Promise<void> | undefined
}

// Passages that are fetched at once: 3 MB for vectors of 384 dimensions.
const passagesAtOnce = 2_000
// Beside the numbers of a vector: its scale, its id, its document, and its product with the question.
const bytesBeside = 28

export class Shelf {
  readonly #options: ShelfOptions
  readonly #repositories = new Map<string, Loaded>()
  readonly #sweep: NodeJS.Timeout
  #subscription: { close(): Promise<void> } | undefined

  constructor(options: ShelfOptions) {
    this.#options = options
    options.index.onLost(() => this.#repositories.clear())
    this.#sweep = setInterval(() => this.#dropIdle(), Math.min(options.idleMs, 60_000)).unref()
  }

  /** How many passages a repository has with each word. Its vectors are in the index when this resolves. */
  async use(repositoryId: string): Promise<WordCounts> {
    await this.#listen()
    const loaded = this.#repositories.get(repositoryId) ?? this.#begin(repositoryId)
    loaded.usedAtMs = performance.now()
    while (loaded.isStale || loaded.loading) {
      loaded.loading ??= this.#load(repositoryId, loaded).finally(() => {
        loaded.loading = undefined
      })
      await loaded.loading
    }
    return loaded.words
  }

  get bytes(): number {
    return [...this.#repositories.values()].reduce((sum, { bytes }) => sum + bytes, 0)
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep)
    await this.#subscription?.close()
  }

  #begin(repositoryId: string): Loaded {
    const loaded: Loaded = {
      versions: new Map(),
      words: { passages: 0, common: new Map() },
      bytes: 0,
      usedAtMs: 0,
      isStale: true,
      isTooLarge: false,
      loading: undefined,
    }
    this.#repositories.set(repositoryId, loaded)
    return loaded
  }

  /** With the first question: most processes have none. */
  async #listen(): Promise<void> {
    const stale = (repositoryId?: string) => {
      for (const [id, loaded] of this.#repositories)
        if (repositoryId === undefined || id === repositoryId) loaded.isStale = true
    }
    this.#subscription ??= await this.#options.db.listen('knowledge_changes', {
      notice: stale,
      lost: () => stale(),
      resumed: () => stale(),
    })
  }

  /** Fetches what has changed since the last time. */
  async #load(repositoryId: string, loaded: Loaded): Promise<void> {
    const { db, index, embedder, log } = this.#options
    loaded.isStale = false
    try {
      const [rows, words] = await Promise.all([
        documentVersions(db, repositoryId, embedder),
        wordCounts(db, repositoryId),
      ])
      loaded.words = words
      const now = new Map(rows.map((row) => [row.document_id, row]))
      const gone = [...loaded.versions.keys()].filter((id) => !now.has(id))
      index.remove(repositoryId, gone)
      for (const id of gone) loaded.versions.delete(id)
      if (!(await this.#makeRoom(repositoryId, loaded, rows))) return
      const changed = rows.filter(
        ({ document_id: id, version }) => loaded.versions.get(id)?.version !== version,
      )
      for (const batch of batches(changed)) {
        index.put(repositoryId, await fetchVectors(db, batch))
        for (const row of batch) loaded.versions.set(row.document_id, row)
      }
      if (changed.length > 0 || gone.length > 0)
        log.debug({ repository_id: repositoryId, bytes: loaded.bytes }, 'vectors of a repository loaded')
    } catch (error) {
      loaded.isStale = true
      throw error
    }
  }

  /** False if the repository cannot be held at all. Others leave, the one that was not used for longest first. */
  async #makeRoom(repositoryId: string, loaded: Loaded, rows: readonly DocumentVersion[]): Promise<boolean> {
    const passages = rows.reduce((sum, { chunk_count }) => sum + chunk_count, 0)
    const { memoryBytes, log, index } = this.#options
    loaded.bytes = passages === 0 ? 0 : passages * ((await this.#options.dimensions()) + bytesBeside)
    if (loaded.bytes > memoryBytes) {
      if (!loaded.isTooLarge)
        log.warn(
          { repository_id: repositoryId, bytes: loaded.bytes },
          'a repository is larger than PARLEY_KNOWLEDGE_MEMORY_MB and is searched by its words alone',
        )
      index.drop(repositoryId)
      loaded.versions.clear()
      Object.assign(loaded, { isTooLarge: true, bytes: 0 })
      return false
    }
    loaded.isTooLarge = false
    const others = [...this.#repositories].filter(([id]) => id !== repositoryId)
    for (const [id] of others.toSorted(([, one], [, other]) => one.usedAtMs - other.usedAtMs)) {
      if (this.bytes <= memoryBytes) break
      this.#drop(id)
    }
    return true
  }

  #dropIdle(): void {
    const { idleMs } = this.#options
    for (const [id, { usedAtMs, loading }] of this.#repositories)
      if (!loading && performance.now() - usedAtMs > idleMs) this.#drop(id)
  }

  #drop(repositoryId: string): void {
    this.#repositories.delete(repositoryId)
    this.#options.index.drop(repositoryId)
  }
}

function* batches(rows: readonly DocumentVersion[]): Generator<readonly DocumentVersion[]> {
  let batch: DocumentVersion[] = []
  let passages = 0
  for (const row of rows) {
    if (batch.length > 0 && passages + row.chunk_count > passagesAtOnce) {
      yield batch
      batch = []
      passages = 0
    }
    batch.push(row)
    passages += row.chunk_count
  }
  if (batch.length > 0) yield batch
}

async function fetchVectors(
  db: Queries,
  documents: readonly DocumentVersion[],
): Promise<VectorsOfDocument[]> {
  const rows = await vectorsOf(
    db,
    documents.map(({ document_id }) => document_id),
  )
  const byDocument = Map.groupBy(rows, ({ document_id }) => document_id)
  return documents.flatMap(({ document_id: documentId, version }) => {
    const own = byDocument.get(documentId) ?? []
    const [first] = own
    if (!first) return []
    const dimensions = first.vector.length / 4
    const vectors = new Float32Array(own.length * dimensions)
    const bytes = Buffer.from(vectors.buffer)
    for (const [place, { vector }] of own.entries()) vector.copy(bytes, place * dimensions * 4)
    return [{ documentId, version, chunkIds: own.map(({ chunk_id }) => chunk_id), vectors }]
  })
}
