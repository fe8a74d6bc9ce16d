// A PostgreSQL with pgvector: PGlite, compiled to WebAssembly, which serves PostgreSQL's protocol on loopback.
//
// It is one session, whoever connects: names of statements would clash when the pool connects again, and a
// notification arrives at the connection that is being answered, which is mostly that of the pool.
import { EventEmitter } from 'node:events'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { type Connection, type Db, openDb } from '../../../src/platform/db/db.ts'
import { migrate } from '../../../src/platform/db/migrate.ts'

export interface DatabaseWithPgvector {
  readonly db: Db
  readonly connection: Connection
  close(): Promise<void>
}

// The pool, the session of an upkeep, and one that is on its way out.
const maxConnections = 4

export async function openPglite(): Promise<DatabaseWithPgvector> {
  const pglite = await PGlite.create({ extensions: { vector } })
  const server = new PGLiteSocketServer({ db: pglite, host: '127.0.0.1', port: 0, maxConnections })
  await server.start()
  const [host, port] = server.getServerConn().split(':')
  const connection = { host, port: Number(port), user: 'postgres', database: 'postgres' }
  await migrate(connection)
  const db = openDb(connection, 1, () => {}, { namedStatements: false })
  const notices = new EventEmitter<Record<string, [payload: string]>>()
  db.pool.on('connect', (client) =>
    client.on('notification', ({ channel, payload = '' }) => void notices.emit(channel, payload)),
  )
  return {
    connection,
    db: {
      ...db,
      async listen(channel, { notice }) {
        notices.on(channel, notice)
        await db.pool.query(`LISTEN ${channel}`)
        return { close: async () => void notices.off(channel, notice) }
      },
    },
    async close() {
      await db.close()
      await server.stop()
      await pglite.close()
    },
  }
}
