// Repositories in the database.
import type { PageQuery } from '@parley/contract'
import { type Queries, statement, type Write } from '../../platform/db/db.ts'
import { readPage } from '../../platform/db/page.ts'
import { stemmers } from './text-search.ts'

export interface RepositoryRow {
  repository_id: string
  workspace_id: string
  name: string
  description: string | null
  language: string
  chunk_size: number
  chunk_overlap: number
  top_k: number
  created_at: Date
  updated_at: Date
}

export interface CountedRepository extends RepositoryRow {
  queued: number
  processing: number
  ready: number
  failed: number
  chunks: number
}

const columns =
  'repository_id, workspace_id, name, description, language, chunk_size, chunk_overlap, top_k, created_at, updated_at'

const insert = statement(`
  INSERT INTO knowledge_repositories (${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`)

const counted = `
  SELECT r.*, d.* FROM (SELECT ${columns} FROM knowledge_repositories r WHERE`
const counts = `) AS r CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE status = 'queued')::int AS queued,
      count(*) FILTER (WHERE status = 'processing')::int AS processing,
      count(*) FILTER (WHERE status = 'ready')::int AS ready,
      count(*) FILTER (WHERE status = 'failed')::int AS failed,
      coalesce(sum(chunk_count), 0)::int AS chunks
    FROM knowledge_documents d WHERE d.repository_id = r.repository_id) AS d`

const select = statement(`${counted} repository_id = $1 AND workspace_id = $2 ${counts}`)

const selectPage = statement(`
  ${counted} workspace_id = $1 ORDER BY created_at DESC, repository_id DESC LIMIT $2 OFFSET $3 ${counts}
  ORDER BY r.created_at DESC, r.repository_id DESC`)

const count = statement('SELECT count(*)::int AS total FROM knowledge_repositories WHERE workspace_id = $1')

const lock = statement(`
  SELECT ${columns} FROM knowledge_repositories WHERE repository_id = $1 AND workspace_id = $2 FOR UPDATE`)

const update = statement(`
  UPDATE knowledge_repositories SET name = $2, description = $3, language = $4, chunk_size = $5, chunk_overlap = $6,
    top_k = $7, updated_at = now()
  WHERE repository_id = $1`)

const owner = statement('SELECT workspace_id FROM knowledge_repositories WHERE repository_id = $1')

const remove = statement('DELETE FROM knowledge_repositories WHERE repository_id = $1')

// Only text is compared: whatever an agent has there.
const users = statement(`
  SELECT count(*)::int AS agents FROM agents
  WHERE workspace_id = $1 AND json_typeof(config -> 'repository_ids') = 'array' AND EXISTS (
    SELECT 1 FROM json_array_elements_text(config -> 'repository_ids') AS named WHERE lower(named) = $2)`)

// One round trip tells what a search has to know, and the stems of the question in the language of each repository.
const searched = statement(`
  SELECT repository_id, top_k, tsvector_to_array(to_tsvector(
    coalesce($3::jsonb ->> lower(substring(language FROM '^[^-_]+')), 'simple')::regconfig, $2)) AS words
  FROM knowledge_repositories WHERE repository_id = ANY($1::uuid[])`)

export const insertRepository = (row: RepositoryRow): Write => ({
  statement: insert,
  values: [
    ...[row.repository_id, row.workspace_id, row.name, row.description, row.language],
    ...[row.chunk_size, row.chunk_overlap, row.top_k, row.created_at],
  ],
})

export const findRepository = (db: Queries, workspaceId: string, repositoryId: string) =>
  db.row<CountedRepository>(select, [repositoryId, workspaceId])

/** Undefined: it was deleted. */
export const workspaceOfRepository = async (db: Queries, repositoryId: string): Promise<string | undefined> =>
  (await db.row<{ workspace_id: string }>(owner, [repositoryId]))?.workspace_id

export const pageOfRepositories = (db: Queries, workspaceId: string, query: PageQuery) =>
  readPage<CountedRepository>(db, { select: selectPage, count }, [workspaceId], query)

export const lockRepository = (tx: Queries, workspaceId: string, repositoryId: string) =>
  tx.row<RepositoryRow>(lock, [repositoryId, workspaceId])

export const updateRepositoryRow = (tx: Queries, row: RepositoryRow) =>
  tx.rows(update, [
    ...[row.repository_id, row.name, row.description, row.language],
    ...[row.chunk_size, row.chunk_overlap, row.top_k],
  ])

export const removeRepository = (tx: Queries, repositoryId: string) => tx.rows(remove, [repositoryId])

export const agentsNaming = async (tx: Queries, workspaceId: string, repositoryId: string): Promise<number> =>
  (await tx.row<{ agents: number }>(users, [workspaceId, repositoryId]))?.agents ?? 0

/** What a search needs to know: how many passages, and the stems of the question without words that every text has. */
export const questionTo = (db: Queries, ids: readonly string[], query: string) =>
  db.rows<{ repository_id: string; top_k: number; words: string[] }>(searched, [
    ids,
    query,
    JSON.stringify(stemmers),
  ])
