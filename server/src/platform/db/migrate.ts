// Brings the schema to the newest version: server/sql/*.sql, in order, each once, safe when several processes start together.
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import type { Connection } from './db.ts'

const folder = new URL('../../../sql/', import.meta.url)

// Any constant will do, as long as it is always the same.
const lockId = 7_270_539_001

export async function migrate(connection: Connection): Promise<string[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [lockId])
    await client.query(
      'CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    )
    const { rows } = await client.query<{ name: string }>('SELECT name FROM schema_migrations')
    const applied = new Set(rows.map(({ name }) => name))
    const pending = (await readdir(folder))
      .filter((name) => name.endsWith('.sql') && !applied.has(name))
      .sort()
    for (const name of pending) await apply(client, name)
    return pending
  } finally {
    await client.end()
  }
}

async function apply(client: pg.Client, name: string): Promise<void> {
  const sql = await readFile(new URL(name, folder), 'utf8')
  try {
    await client.query('BEGIN')
    await client.query(sql)
    await client.query('INSERT INTO schema_migrations (name) VALUES ($1)', [name])
    await client.query('COMMIT')
  } catch (error) {
    throw new Error(`migration ${name} failed`, { cause: error })
  }
}
