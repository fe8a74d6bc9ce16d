// Indexes documents: in at most three attempts, with their progress stored every second; broken off when they are
// deleted.
import type { Db } from '../../platform/db/db.ts'
import { type Job, OwnerDied, type Sweep, sentenceOf } from '../../platform/jobs/job.ts'
import { requeueOutdated } from './document-store.ts'
import { CannotBeIndexed, type IndexingParts, indexDocument } from './index-document.ts'
import {
  type ClaimedDocument,
  documentsTable,
  endDocuments,
  type IndexingEnd,
  reportIndexing,
} from './index-store.ts'
import type { IndexingResult } from './indexing.ts'
import { activateSeeded } from './seeding.ts'

// Attempts that ended with their process count too: a document that kills its process is not tried forever.
const mostTries = 3
// After a failure of the embedder or the network; doubles.
const retryMs = 2_000
// How often progress is stored and deleted documents are noticed.
const beatMs = 1_000
// One document is parsed while another is embedded; more would only wait for the embedder.
const atATime = 2

interface UnderWay {
  done: number
  total: number | null
}

export function indexingJob(parts: IndexingParts): Job<ClaimedDocument, IndexingEnd> {
  const underWay = new Map<string, UnderWay>()
  let lastTurn: Promise<unknown> = Promise.resolve()
  const inTurn: NonNullable<IndexingParts['inTurn']> = (act) => {
    const turn = lastTurn.then(act)
    lastTurn = turn.catch(() => {})
    return turn
  }
  return {
    name: 'knowledge documents',
    table: documentsTable,
    caps: { process: atATime, lane: atATime, claim: 1 },
    retry: {
      mostTries,
      delayMs: (tries) => retryMs * 2 ** (tries - 1),
      isPermanent: (error) => error instanceof CannotBeIndexed,
      giveUp: (error) => ({ revision: revisionOf(error), indexing: failed(error) }),
    },
    drainMs: 0,
    heartbeat: {
      everyMs: beatMs,
      beat: (db, held) =>
        reportIndexing(
          db,
          [...held].map(([documentId, claimantId]) => ({
            documentId,
            claimantId,
            ...(underWay.get(documentId) ?? { done: 0, total: null }),
          })),
        ),
    },
    settle: endDocuments,
    outcomeOf: ({ indexing }) => (indexing.of === 'failed' ? 'failed' : 'done'),

    async run(row, { signal }) {
      const one: UnderWay = { done: 0, total: null }
      underWay.set(row.job_id, one)
      const onProgress = (done: number, total: number | null) => void Object.assign(one, { done, total })
      try {
        const indexing = await indexDocument({ ...parts, inTurn }, documentOf(row), onProgress, signal)
        return { revision: row.revision, indexing }
      } catch (error) {
        throw error instanceof Error ? Object.assign(error, { [revision]: row.revision }) : error
      } finally {
        underWay.delete(row.job_id)
      }
    },
  }
}

/** The revision that an attempt was for, so that its failure does not end a later one. */
const revision = Symbol('revision')

const revisionOf = (error: unknown): number | null =>
  (error as { readonly [revision]?: number } | undefined)?.[revision] ?? null

const documentOf = (row: ClaimedDocument & { job_id: string }) => ({
  documentId: row.job_id,
  repositoryId: row.repository_id,
  kind: row.kind,
  filename: row.filename,
  mediaType: row.media_type,
  url: row.url,
  depth: row.depth,
  maxPages: row.max_pages,
  chunkSize: row.chunk_size,
  chunkOverlap: row.chunk_overlap,
})

const failed = (error: unknown): IndexingResult => ({
  of: 'failed',
  error:
    error instanceof OwnerDied
      ? `The process that indexed it died ${mostTries} times; it is not tried again.`
      : sentenceOf(error, 'It could not be indexed'),
})

// An agent that was stored in the very moment in which its repository became ready waits no longer than this.
const sweepMs = 5_000

export const seedingSweep = (db: Db): Sweep => ({
  name: 'seeding agents',
  everyMs: sweepMs,
  afterErrorMs: sweepMs,
  async run() {
    await activateSeeded(db)
    return sweepMs
  },
})

/** Documents with vectors of another embedder are indexed again, and searched by their words meanwhile. */
export const indexAgainWith = (db: Db, embedder: string): Promise<number> => requeueOutdated(db, embedder)
