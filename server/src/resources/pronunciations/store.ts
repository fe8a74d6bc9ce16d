// The pronunciation dictionary in the database.
import type { PageQuery } from '@parley/contract'
import { listStatements } from '../../http/lists.ts'
import { type Queries, statement, type Write } from '../../platform/db/db.ts'
import { readPage } from '../../platform/db/page.ts'

export interface PronunciationRow {
  pronunciation_id: string
  written: string
  say_as: string | null
  ipa: string | null
  language: string | null
  agent_id: string | null
  created_at: Date
  updated_at: Date
}

const columns = 'pronunciation_id, written, say_as, ipa, language, agent_id, created_at, updated_at'

const insert = statement(`
  INSERT INTO pronunciations (pronunciation_id, workspace_id, written, say_as, ipa, language, agent_id, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)`)

const select = statement(
  `SELECT ${columns} FROM pronunciations WHERE pronunciation_id = $1 AND workspace_id = $2`,
)
const selectForUpdate = statement(`${select.text} FOR UPDATE`)

const page = listStatements(
  columns,
  `pronunciations WHERE workspace_id = $1 AND ($2::uuid IS NULL OR agent_id = $2)
    AND ($3::text IS NULL OR lower(language) = lower($3))`,
  'created_at DESC, pronunciation_id DESC',
  3,
)

const same = statement(`
  SELECT pronunciation_id FROM pronunciations
  WHERE workspace_id = $1 AND lower(written) = lower($2) AND lower(language) IS NOT DISTINCT FROM lower($3::text)
    AND agent_id IS NOT DISTINCT FROM $4::uuid AND pronunciation_id <> $5 LIMIT 1`)

const update = statement(`
  UPDATE pronunciations SET written = $2, say_as = $3, ipa = $4, language = $5, agent_id = $6, updated_at = now()
  WHERE pronunciation_id = $1 RETURNING ${columns}`)

const remove = statement(`
  DELETE FROM pronunciations WHERE pronunciation_id = $1 AND workspace_id = $2 RETURNING pronunciation_id`)

export const insertPronunciation = (workspaceId: string, row: PronunciationRow): Write => ({
  statement: insert,
  values: [
    ...[row.pronunciation_id, workspaceId, row.written, row.say_as, row.ipa],
    ...[row.language, row.agent_id, row.created_at],
  ],
})

export const findPronunciation = (db: Queries, workspaceId: string, id: string) =>
  db.row<PronunciationRow>(select, [id, workspaceId])

export const lockPronunciation = (tx: Queries, workspaceId: string, id: string) =>
  tx.row<PronunciationRow>(selectForUpdate, [id, workspaceId])

export interface PronunciationFilter {
  readonly agentId?: string | undefined
  readonly language?: string | undefined
}

export const pageOfPronunciations = (
  db: Queries,
  workspaceId: string,
  { agentId, language }: PronunciationFilter,
  query: PageQuery,
) => readPage<PronunciationRow>(db, page, [workspaceId, agentId ?? null, language ?? null], query)

export async function countPronunciations(db: Queries, workspaceId: string): Promise<number> {
  const row = await db.row<{ total: number }>(page.count, [workspaceId, null, null])
  return row?.total ?? 0
}

/** The id of another entry for the same text, agent and language. */
export async function sameText(
  db: Queries,
  workspaceId: string,
  { written, language, agent_id, pronunciation_id }: PronunciationRow,
): Promise<string | undefined> {
  const values = [workspaceId, written, language, agent_id, pronunciation_id]
  return (await db.row<{ pronunciation_id: string }>(same, values))?.pronunciation_id
}

export const updatePronunciation = async (tx: Queries, row: PronunciationRow): Promise<PronunciationRow> =>
  (await tx.row<PronunciationRow>(update, [
    ...[row.pronunciation_id, row.written, row.say_as, row.ipa, row.language, row.agent_id],
  ])) as PronunciationRow

export const removePronunciation = (db: Queries, workspaceId: string, id: string) =>
  db.row<{ pronunciation_id: string }>(remove, [id, workspaceId])
