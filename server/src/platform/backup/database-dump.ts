// The rows of a database as of one moment, streamed while it is in use.
import pg from 'pg'
import { to } from 'pg-copy-streams'
import { type Connection, openSession } from '../db/connection.ts'

export interface DumpedTable {
  readonly name: string
  readonly columns: readonly string[]
}

export interface DumpedSchema {
  /** The applied migrations. */
  readonly migrations: readonly string[]
  /** The tables, each after those that it refers to. Partitions are in theirs; a new database makes its own. */
  readonly tables: readonly DumpedTable[]
  readonly sequences: readonly { readonly name: string; readonly value: string }[]
}

export interface Snapshot {
  readonly schema: DumpedSchema
  /** The rows as COPY writes them. */
  rowsOf(table: DumpedTable): AsyncIterable<Buffer>
  /** The first column of a query, as of the same moment. */
  ids(sql: string): AsyncIterable<string>
  close(): Promise<void>
}

// Tables that only running processes need: their states and leases, counters, and what can be made again.
const passing = [
  'call_states',
  'trunk_registrations',
  'telephones',
  'call_listeners',
  'cached_speech',
  'knowledge_vectors',
]
// The table that the migrations write.
const ofMigrations = ['schema_migrations', 'schema_functions']
const idsAtOnce = 1_000

const tablesSql = `
  SELECT c.oid::int AS id, c.relname AS name,
    ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      AND a.attgenerated = '' ORDER BY a.attnum) AS columns,
    ARRAY(SELECT DISTINCT f.confrelid::int FROM pg_constraint f WHERE f.conrelid = c.oid AND f.contype = 'f'
      AND f.confrelid <> c.oid) AS "refersTo"
  FROM pg_class c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relpersistence = 'p' AND c.relname <> ALL ($1::text[])
  ORDER BY c.relname`

const sequencesSql = `
  SELECT sequencename AS name, last_value::text AS value FROM pg_sequences
  WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY 1`

export async function openSnapshot(connection: Connection): Promise<Snapshot> {
  await using opening = new AsyncDisposableStack()
  const client = opening.use(await openSession({ ...connection, application_name: 'parley backup' }))
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  const schema = await readSchema(client)
  opening.move()
  return {
    schema,
    rowsOf: ({ name, columns }) =>
      client.query(to(`COPY (SELECT ${sqlList(columns)} FROM ${quoted(name)}) TO STDOUT`)),
    ids: (sql) => idsOf(client, sql),
    close: () => client.end(),
  }
}

async function readSchema(client: pg.Client): Promise<DumpedSchema> {
  const rowsOf = async <Row extends object>(sql: string, values: unknown[] = []) =>
    (await client.query<Row>(sql, values)).rows
  const migrations = await rowsOf<{ name: string }>('SELECT name FROM schema_migrations ORDER BY name')
  const tables = await rowsOf<CatalogTable>(tablesSql, [[...passing, ...ofMigrations]])
  return {
    migrations: migrations.map(({ name }) => name),
    tables: inOrder(tables).map(({ name, columns }) => ({ name, columns })),
    sequences: await rowsOf<DumpedSchema['sequences'][number]>(sequencesSql),
  }
}

interface CatalogTable extends DumpedTable {
  readonly id: number
  readonly refersTo: readonly number[]
}

/** Orders the tables, each after those that it refers to. */
function inOrder(tables: readonly CatalogTable[]): CatalogTable[] {
  const ordered = new Set<CatalogTable>()
  const place = (table: CatalogTable): void => {
    if (ordered.has(table)) return
    for (const other of tables.filter(({ id }) => table.refersTo.includes(id))) place(other)
    ordered.add(table)
  }
  tables.forEach(place)
  return [...ordered]
}

async function* idsOf(client: pg.Client, sql: string): AsyncGenerator<string> {
  await client.query(`DECLARE ids NO SCROLL CURSOR FOR ${sql}`)
  for (;;) {
    const { rows } = await client.query<[string]>({ text: `FETCH ${idsAtOnce} FROM ids`, rowMode: 'array' })
    for (const [id] of rows) yield id
    if (rows.length < idsAtOnce) break
  }
  await client.query('CLOSE ids')
}

export const quoted = (name: string): string => pg.escapeIdentifier(name)
export const sqlList = (names: readonly string[]): string => names.map(quoted).join(', ')
