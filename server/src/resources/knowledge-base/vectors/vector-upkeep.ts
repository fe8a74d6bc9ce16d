// The table and the indexes of vectors in the database, made beside the traffic. Migrations do without them: a
// database may have no pgvector, or get it later.
import pg from 'pg'
import { aloneInSession } from '../../../platform/db/alone-in-session.ts'
import { type Connection, type Queries, statement } from '../../../platform/db/db.ts'
import type { Sweep } from '../../../platform/jobs/job.ts'
import type { Log } from '../../../platform/log.ts'
import { findExtension } from './extension.ts'
import { indexedAs, indexName, indexNames, isIndexed, type VectorKind } from './vector-store.ts'

// Arbitrary, but must never change.
const lockId = 7_270_539_004
// Writers of passages queue behind us while we wait for those before us.
const lockTimeoutMs = 300
// Rows of one statement; it holds their locks while it converts them.
const rowsAtOnce = 500

// A sample is enough. Only the length is read, not the vector.
const sample = statement(`
  SELECT octet_length(c.vector) / 4 AS dimensions
  FROM knowledge_documents d CROSS JOIN LATERAL (
    SELECT vector FROM knowledge_chunks c WHERE c.document_id = d.document_id LIMIT 1) AS c
  WHERE d.embedder = $1 AND d.chunk_count > 0 AND c.vector IS NOT NULL LIMIT 1`)

// Those of other embedders, once no document has their vectors any more.
const outdated = statement(`
  SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE i.indrelid = to_regclass('knowledge_vectors') AND c.relname LIKE $1 || '%' AND c.relname <> $2
    AND NOT EXISTS (SELECT FROM knowledge_documents WHERE embedder <> $3 AND chunk_count > 0)`)

export interface VectorUpkeep {
  readonly db: Queries
  /** PostgreSQL itself, not a pooler. */
  readonly sessions: Connection
  /** The name of the embedder in use. */
  readonly embedder: string
}

// Tells processes that hold vectors in memory to look again.
const lookAgain = statement(
  "SELECT pg_notify('knowledge_changes', repository_id::text) FROM knowledge_repositories",
)

/**
 * Makes what is missing for the vectors of this embedder, and drops what was made for others. Undefined: there is
 * nothing to index yet. Otherwise whether it is there now; not so if another process is about it, or there are too
 * many dimensions.
 */
export async function keepVectors(
  { db, sessions, embedder }: VectorUpkeep,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const dimensions = (await db.row<{ dimensions: number }>(sample, [embedder]))?.dimensions
  if (dimensions === undefined) return undefined
  const kind = { embedder, dimensions }
  if (!indexedAs(kind)) return false
  if (!(await isIndexed(db, kind))) {
    const isDone = await aloneInSession(sessions, lockId, signal, async (client) => {
      await makeTable(client)
      await fillTable(client)
      await makeIndex(client, kind)
    })
    if (!isDone) return false
    await db.rows(lookAgain)
  }
  const old = await db.rows<{ name: string }>(outdated, [indexNames, indexName(kind), embedder])
  if (old.length > 0)
    await aloneInSession(sessions, lockId, signal, async (client) => {
      for (const { name } of old) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`)
    })
  return true
}

/**
 * The foreign key waits for transactions that are writing passages: what they write is either there afterwards, to be
 * filled in, or their trigger sees the table.
 */
async function makeTable(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(
    "SELECT FROM pg_attribute WHERE attrelid = to_regclass('knowledge_vectors') AND attname = 'embedding'",
  )
  if (rowCount) return
  // In one transaction, being one message. A table without the column is what the extension left when it was dropped.
  await client.query(`
    SET LOCAL lock_timeout = ${lockTimeoutMs};
    DROP TABLE IF EXISTS knowledge_vectors;
    CREATE TABLE knowledge_vectors (
      chunk_id      uuid PRIMARY KEY REFERENCES knowledge_chunks ON DELETE CASCADE,
      repository_id uuid NOT NULL,
      embedder      text NOT NULL,
      embedding     vector NOT NULL
    );
    CREATE INDEX knowledge_vectors_of_repository ON knowledge_vectors (repository_id, embedder)`)
}

const fill = `
  WITH next AS (
    SELECT c.chunk_id, c.repository_id, d.embedder, c.vector
    FROM knowledge_chunks c JOIN knowledge_documents d USING (document_id)
    WHERE c.chunk_id > $1 AND c.vector IS NOT NULL AND d.embedder IS NOT NULL
      AND NOT EXISTS (SELECT FROM knowledge_vectors v WHERE v.chunk_id = c.chunk_id)
    ORDER BY c.chunk_id LIMIT ${rowsAtOnce}
    -- One that is being deleted is waited for, and left out.
    FOR KEY SHARE OF c
  ), filled AS (
    INSERT INTO knowledge_vectors (chunk_id, repository_id, embedder, embedding)
    SELECT chunk_id, repository_id, embedder, floats_of(vector)::vector FROM next
    ON CONFLICT (chunk_id) DO NOTHING
  )
  SELECT chunk_id FROM next ORDER BY chunk_id DESC LIMIT 1`

/** In the order of their ids; those that come meanwhile are the trigger's. */
async function fillTable(client: pg.Client): Promise<void> {
  const fillAfter = async (last: string) =>
    (await client.query<{ chunk_id: string }>(fill, [last])).rows[0]?.chunk_id
  let last = await fillAfter('00000000-0000-0000-0000-000000000000')
  while (last !== undefined) last = await fillAfter(last)
}

/** Each embedder has an index: a neighbour that cannot be compared would only be in the way. */
async function makeIndex(client: pg.Client, kind: VectorKind): Promise<void> {
  const { embedder, dimensions } = kind
  const type = indexedAs(kind)
  // An index of this name is the rest of one that was broken off.
  await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${indexName(kind)}`)
  await client.query(`
    CREATE INDEX CONCURRENTLY ${indexName(kind)} ON knowledge_vectors
    USING hnsw ((embedding::${type}(${dimensions})) ${type}_cosine_ops)
    WHERE embedder = ${pg.escapeLiteral(embedder)} AND vector_dims(embedding) = ${dimensions}`)
}

interface VectorSweepOptions extends VectorUpkeep {
  readonly log: Log
  /** An index may take minutes to make; a process that stops does not wait for it. */
  readonly signal: AbortSignal
}

const everyMs = 60_000

export function vectorSweep({ log, signal, ...upkeep }: VectorSweepOptions): Sweep {
  let told: string | undefined
  const tell = (search: 'pgvector' | 'memory', reason: string) => {
    if (told !== reason) log.info({ search, reason }, 'how the knowledge base is searched')
    told = reason
  }
  const look = async () => {
    const extension = await findExtension(upkeep.db)
    if ('missing' in extension) return tell('memory', extension.missing)
    const isIndexed = await keepVectors(upkeep, signal)
    if (isIndexed) return tell('pgvector', `The database has pgvector ${extension.version}.`)
    if (isIndexed === undefined) return tell('memory', 'There are no vectors of this embedder yet.')
    return tell('memory', 'pgvector has no index of these vectors yet, or cannot have one.')
  }
  return {
    name: 'knowledge-vectors',
    everyMs,
    afterErrorMs: everyMs,
    async run() {
      await look().catch((error: unknown) => {
        if (!signal.aborted) throw error
      })
      return everyMs
    },
  }
}
