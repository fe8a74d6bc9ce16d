// Encrypts secrets stored in the clear: those in fields that were not treated as secrets when they were written, or
// written by a process of an older version during an upgrade. Runs at every start, before requests are served. Users
// see no change except that these secrets are masked.
import { type Db, type Queries, statement } from '../../platform/db/db.ts'
import type { Vault } from '../../platform/secrets.ts'
import { hideSecrets } from './agent-secrets.ts'

const marker = 'agent secrets sealed until'
// A rolling upgrade is over by then.
const overlap = '1 day'
const batchSize = 200
const lowestId = '00000000-0000-0000-0000-000000000000'

interface Row {
  readonly workspace_id: string
  readonly agent_id: string
  readonly version: number
  readonly config: string
  readonly secrets: Buffer | null
}

const span = statement(`
  SELECT now() AS until,
    coalesce((SELECT convert_from(value, 'UTF8')::timestamptz - interval '${overlap}' FROM installation WHERE name = $1),
      '-infinity')::text AS since`)

const remember = statement(`
  INSERT INTO installation (name, value) VALUES ($1, convert_to($2, 'UTF8'))
  ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value`)

// Agents, and the versions that they had.
const tables = [
  { name: 'agents', writtenAt: 'updated_at' },
  { name: 'agent_versions', writtenAt: 'saved_at' },
].map(({ name, writtenAt }) => ({
  select: statement(`
    SELECT (SELECT workspace_id FROM agents a WHERE a.agent_id = t.agent_id), agent_id, version, config::text AS config,
      secrets
    FROM ${name} t
    WHERE (agent_id, version) > ($1, $2) AND ${writtenAt} >= $3::timestamptz
    ORDER BY agent_id, version LIMIT ${batchSize} FOR UPDATE`),
  update: statement(`UPDATE ${name} SET config = $3, secrets = $4 WHERE agent_id = $1 AND version = $2`),
}))

type Table = (typeof tables)[number]
type Key = Pick<Row, 'agent_id' | 'version'>

/** Returns the number of rows changed. Any number of processes may run it concurrently. */
export async function sealStoredSecrets(db: Db, vault: Vault): Promise<number> {
  const { since, until } = (await db.row<{ since: string; until: Date }>(span, [marker])) ?? fallback
  let sealed = 0
  for (const table of tables) {
    for (let last: Key | undefined = { agent_id: lowestId, version: 0 }; last !== undefined; ) {
      const after: Key = last
      const done = await db.transaction((tx) => sealBatch(tx, vault, table, after, since))
      sealed += done.sealed
      last = done.last
    }
  }
  await db.row(remember, [marker, until.toISOString()])
  return sealed
}

const fallback = { since: '-infinity', until: new Date(0) }

async function sealBatch(tx: Queries, vault: Vault, { select, update }: Table, after: Key, since: string) {
  const rows = await tx.rows<Row>(select, [after.agent_id, after.version, since])
  let sealed = 0
  for (const { workspace_id: workspaceId, agent_id: agentId, version, config: text, secrets } of rows) {
    const config: object = JSON.parse(text)
    const hidden = hideSecrets(vault, { workspaceId, id: agentId }, config, { config, sealed: secrets })
    if (JSON.stringify(hidden.config) === JSON.stringify(config)) continue
    await tx.rows(update, [agentId, version, JSON.stringify(hidden.config), hidden.sealed])
    sealed++
  }
  return { sealed, last: rows.length === batchSize ? rows.at(-1) : undefined }
}
