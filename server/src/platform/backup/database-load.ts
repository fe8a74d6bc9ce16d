// Loads the rows of a back-up into an empty database: all of them or none.
import { once } from 'node:events'
import type pg from 'pg'
import { type CopyStreamQuery, from } from 'pg-copy-streams'
import { type Connection, openSession } from '../db/connection.ts'
import { migrate, migrateTo } from '../db/migrate.ts'
import { Refusal } from '../refusal.ts'
import { type DumpedSchema, type DumpedTable, quoted, sqlList } from './database-dump.ts'

export interface DatabaseLoad {
  /** Loads pieces of one table after the other, in the order of the schema. */
  load(table: string, rows: AsyncIterable<Buffer>): Promise<void>
  /** Makes what was loaded visible, and brings the schema to that of this release. */
  commit(): Promise<void>
  /** Without a commit before it, nothing is stored. */
  close(): Promise<void>
}

/** Refuses a database that has rows. */
export async function openLoad(connection: Connection, schema: DumpedSchema): Promise<DatabaseLoad> {
  await migrateTo(connection, schema.migrations)
  await using opening = new AsyncDisposableStack()
  const client = opening.use(await openSession({ ...connection, application_name: 'parley restore' }))
  const tables = new Map(schema.tables.map((table) => [table.name, table]))
  let loading: { table: string; stream: CopyStreamQuery } | undefined
  const finishTable = async () => {
    if (!loading) return
    const { stream } = loading
    loading = undefined
    stream.end()
    await once(stream, 'finish')
  }
  await client.query('BEGIN')
  for (const { name } of schema.tables) await mustBeEmpty(client, name)
  // The rows were dumped as triggers had left them, so triggers must not run again.
  await setTriggers(client, 'DISABLE')
  opening.move()
  return {
    async load(name, rows) {
      if (loading?.table !== name) {
        await finishTable()
        loading = { table: name, stream: client.query(from(copyInto(tables.get(name), name))) }
      }
      const { stream } = loading
      const failed = once(stream, 'error').then(([error]) => Promise.reject(error))
      failed.catch(() => {})
      for await (const piece of rows)
        if (!stream.write(piece)) await Promise.race([once(stream, 'drain'), failed])
    },
    async commit() {
      await finishTable()
      for (const { name, value } of schema.sequences)
        await client.query('SELECT setval($1::regclass, $2)', [quoted(name), value])
      await setTriggers(client, 'ENABLE')
      await client.query('COMMIT')
      await client.query('ANALYZE')
      await migrate(connection)
    },
    close: () => client.end(),
  }
}

const copyInto = (table: DumpedTable | undefined, name: string): string => {
  if (!table) throw new Refusal(`The back-up has rows of ${name}, which it does not describe.`)
  return `COPY ${quoted(name)} (${sqlList(table.columns)}) FROM STDIN`
}

async function mustBeEmpty(client: pg.Client, table: string): Promise<void> {
  const { rowCount } = await client.query(`SELECT FROM ${quoted(table)} LIMIT 1`)
  if (rowCount)
    throw new Refusal(
      `The database is in use: ${table} has rows. Restore into an empty one; nothing was changed.`,
    )
}

/** Includes partitions: before PostgreSQL 15 their triggers have states of their own. */
const tablesSql = `
  SELECT relname AS name FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND relhastriggers`

async function setTriggers(client: pg.Client, state: 'ENABLE' | 'DISABLE'): Promise<void> {
  const { rows } = await client.query<{ name: string }>(tablesSql)
  for (const { name } of rows) await client.query(`ALTER TABLE ${quoted(name)} ${state} TRIGGER USER`)
}
