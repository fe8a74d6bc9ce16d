// A database without a schema, for tests of migrations.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import type { TestDatabase } from '../service.ts'

export interface EmptyDatabase extends TestDatabase {
  readonly connection: pg.ClientConfig
}

export async function emptyDatabase(): Promise<EmptyDatabase> {
  const root = { host: inject('postgresSocket'), user: 'parley', database: 'postgres' }
  const database = `migrate_${randomUUID().replaceAll('-', '')}`
  const run = async (sql: string) => {
    const client = new pg.Client(root)
    await client.connect()
    await client.query(sql)
    await client.end()
  }
  await run(`CREATE DATABASE ${database}`)
  const connection = { ...root, database }
  const pool = new pg.Pool({ ...connection, max: 4 })
  pool.on('error', () => {})
  return {
    connection,
    url: `postgresql://parley@${encodeURIComponent(root.host)}/${database}`,
    query: async <Row extends object>(sql: string, values?: unknown[]) =>
      (await pool.query<Row>(sql, values)).rows,
    async close() {
      await pool.end()
      await run(`DROP DATABASE ${database} WITH (FORCE)`)
    },
  }
}
