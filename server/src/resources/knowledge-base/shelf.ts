// Which repositories are in memory: loaded with the first question, kept fresh by notices of the database, let go when
// they are idle or others need the room.
import type { Db, Queries } from '../../platform/db/db.ts'
import type { Log } from '../../platform/log.ts'
import type { PassageIndex, PassagesOfDocument } from '../../ports/knowledge.ts'
import { type DocumentVersion, documentVersions, passagesOf } from './chunk-store.ts'

export interface ShelfOptions {
  readonly db: Db
  readonly index: PassageIndex
  /** The name of the embedder whose vectors are wanted. */
  readonly embedder: string
  readonly dimensions: (repositoryId: string) => Promise<number>
  readonly memoryBytes: number
  readonly idleMs: number
  readonly log: Log
}

interface LoadedRepository {
  readonly versions: Map<string, DocumentVersion>
  passages: number
  /** Its vectors' dimensions; 0: words only, since they are in the database or too large for the memory. */
  dimensions: number | undefined
  bytes: number
  usedAtMs: number
  isStale: boolean
  loading: Promise<void> | undefined
}

// Passages that are fetched at once: 3 MB for vectors of 384 dimensions.
const passagesAtOnce = 2_000
// Beside the numbers of a vector: its words, its scale, its id, and what a question makes of it. Measured with English
// passages of 512 characters.
const bytesBeside = 110

export class Shelf {
  readonly #options: ShelfOptions
  readonly #repositories = new Map<string, LoadedRepository>()
  readonly #sweep: NodeJS.Timeout
  #subscription: { close(): Promise<void> } | undefined

  constructor(options: ShelfOptions) {
    this.#options = options
    options.index.onLost(() => this.#repositories.clear())
    this.#sweep = setInterval(() => this.#dropIdle(), Math.min(options.idleMs, 60_000)).unref()
  }

  /** Whether it is in memory and not empty, as far as is known. */
  holds(repositoryId: string): boolean {
    return (this.#repositories.get(repositoryId)?.passages ?? 0) > 0
  }

  /** How many passages a repository has. They are in the index when this resolves. */
  async use(repositoryId: string): Promise<number> {
    await this.#listen()
    const loaded = this.#repositories.get(repositoryId) ?? this.#begin(repositoryId)
    loaded.usedAtMs = performance.now()
    while (loaded.isStale || loaded.loading) {
      loaded.loading ??= this.#load(repositoryId, loaded).finally(() => {
        loaded.loading = undefined
      })
      await loaded.loading
    }
    return loaded.passages
  }

  get bytes(): number {
    return [...this.#repositories.values()].reduce((sum, { bytes }) => sum + bytes, 0)
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep)
    await this.#subscription?.close()
  }

  #begin(repositoryId: string): LoadedRepository {
    const loaded: LoadedRepository = {
      versions: new Map(),
      passages: 0,
      dimensions: undefined,
      bytes: 0,
      usedAtMs: 0,
      isStale: true,
      loading: undefined,
    }
    this.#repositories.set(repositoryId, loaded)
    return loaded
  }

  /** Listens from the first question on; most processes have none. */
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
  async #load(repositoryId: string, loaded: LoadedRepository): Promise<void> {
    const { db, index, embedder, log } = this.#options
    loaded.isStale = false
    try {
      const rows = await documentVersions(db, repositoryId, embedder)
      loaded.passages = rows.reduce((sum, { chunk_count }) => sum + chunk_count, 0)
      const now = new Set(rows.map(({ document_id }) => document_id))
      const gone = [...loaded.versions.keys()].filter((id) => !now.has(id))
      index.remove(repositoryId, gone)
      for (const id of gone) loaded.versions.delete(id)
      const dimensions = loaded.passages === 0 ? 0 : await this.#makeRoom(repositoryId, loaded)
      const changed = rows.filter(
        ({ document_id: id, version }) => loaded.versions.get(id)?.version !== version,
      )
      for (const batch of batches(changed)) {
        index.put(repositoryId, dimensions, await fetchPassages(db, batch, dimensions))
        for (const row of batch) loaded.versions.set(row.document_id, row)
      }
      if (changed.length > 0 || gone.length > 0)
        log.debug({ repository_id: repositoryId, bytes: loaded.bytes, dimensions }, 'a repository was loaded')
    } catch (error) {
      loaded.isStale = true
      throw error
    }
  }

  /**
   * Returns how many dimensions of vectors there is room for. Other repositories are let go, the one not used for
   * longest first.
   */
  async #makeRoom(repositoryId: string, loaded: LoadedRepository): Promise<number> {
    const { memoryBytes, log, index } = this.#options
    const wanted = await this.#options.dimensions(repositoryId)
    const inMemory = await index.takesVectors(repositoryId, wanted)
    const fits = !inMemory || loaded.passages * (wanted + bytesBeside) <= memoryBytes
    const dimensions = inMemory && fits ? wanted : 0
    if (loaded.dimensions !== undefined && loaded.dimensions !== dimensions) {
      index.drop(repositoryId)
      loaded.versions.clear()
    }
    if (!fits && loaded.dimensions !== 0)
      log.warn(
        { repository_id: repositoryId, passages: loaded.passages },
        'a repository is larger than PARLEY_KNOWLEDGE_MEMORY_MB and is searched by its words alone',
      )
    loaded.dimensions = dimensions
    loaded.bytes = loaded.passages * (dimensions + bytesBeside)
    const others = [...this.#repositories].filter(([id]) => id !== repositoryId)
    for (const [id] of others.toSorted(([, one], [, other]) => one.usedAtMs - other.usedAtMs)) {
      if (this.bytes <= memoryBytes) break
      this.#drop(id)
    }
    return dimensions
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

async function fetchPassages(
  db: Queries,
  documents: readonly DocumentVersion[],
  dimensions: number,
): Promise<PassagesOfDocument[]> {
  const ids = documents.map(({ document_id }) => document_id)
  const rows = await passagesOf(db, ids, dimensions > 0)
  const byDocument = Map.groupBy(rows, ({ document_id }) => document_id)
  return documents.map(({ document_id: documentId, has_vectors: hasVectors }) => {
    const own = byDocument.get(documentId) ?? []
    const vectors = hasVectors && dimensions > 0 ? new Float32Array(own.length * dimensions) : undefined
    if (vectors) {
      const bytes = Buffer.from(vectors.buffer)
      for (const [place, { vector }] of own.entries()) vector?.copy(bytes, place * dimensions * 4)
    }
    return {
      documentId,
      chunkIds: own.map(({ chunk_id }) => chunk_id),
      words: own.map(({ words }) => words),
      vectors,
    }
  })
}
