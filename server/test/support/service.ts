// A whole service on its own database, used over a real socket.
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import pino from 'pino'
import { inject } from 'vitest'
import type { CarrierChoice } from '../../src/main/open-carriers.ts'
import { type OpenEngine, type OpenRunner, type Service, startService } from '../../src/main/service.ts'
import { readConfig } from '../../src/platform/config.ts'
import { newId } from '../../src/platform/ids.ts'
import { hashPassword } from '../../src/platform/passwords.ts'
import { template } from './postgres.ts'

export const workspaceId = '11111111-1111-4111-8111-111111111111'
export const unboundKey = 'svc_unbound0000000000000000000000000000000000'
export const boundKey = 'svc_bound000000000000000000000000000000000000'
export const admin = { email: 'admin@parley.example', password: 'correct horse battery' }

let hash: Promise<string> | undefined

/** Whom the first start would create. Hundreds of services are started, and stretching a password is slow by design. */
async function addAdmin(database: TestDatabase): Promise<void> {
  hash ??= hashPassword(admin.password)
  await database.query(
    "INSERT INTO users (user_id, email, password_hash, role) VALUES ($1, $2, $3, 'admin')",
    [newId(), admin.email, await hash],
  )
}

export interface TestDatabase {
  readonly url: string
  query<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>
  close(): Promise<void>
}

export async function makeDatabase(): Promise<TestDatabase> {
  const host = inject('postgresSocket')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // Copying files takes a fourth of copying pages through the log.
  await asRoot(host).query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
  const pool = openPool({ host, database: name, max: 2 })
  return {
    url: `postgresql://parley@${encodeURIComponent(host)}/${name}`,
    query: async <Row extends object>(sql: string, values: unknown[] = []) =>
      (await pool.query<Row>(sql, values)).rows,
    async close() {
      await pool.end()
      await asRoot(host).query(`DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

let root: pg.Pool | undefined

/** One connection for all databases that this worker makes. */
const asRoot = (host: string): pg.Pool =>
  (root ??= openPool({ host, database: 'postgres', max: 1, allowExitOnIdle: true }))

function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ user: 'parley', ...config })
  // A test may close every connection; the next query opens another.
  pool.on('error', () => {})
  return pool
}

export interface Reply {
  status: number
  headers: Headers
  // Tests read responses of every shape.
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what is being tested
  body: any
  text: string
}

export interface Ask {
  headers?: Record<string, string>
  /** Sent as JSON, unless it is a string, which is sent as it is. */
  body?: unknown
}

export interface TestService {
  readonly url: string
  readonly database: TestDatabase
  readonly log: string[]
  readonly service: Service
  readonly dataDir: string
  /** One request to the Voice AI interface, by default with the bound key and a new idempotency key. */
  ask(method: string, path: string, ask?: Ask): Promise<Reply>
  /** One request with nothing added. */
  bare(method: string, path: string, ask?: Ask): Promise<Reply>
  close(): Promise<void>
}

export async function openService(
  env: Record<string, string> = {},
  shared?: TestDatabase,
  openRunner?: OpenRunner,
  openEngine?: OpenEngine,
  carriers?: CarrierChoice,
): Promise<TestService> {
  const database = shared ?? (await makeDatabase())
  if (!shared) await addAdmin(database)
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-data-'))
  const log: string[] = []
  const config = readConfig({
    PORT: '0',
    HOST: '127.0.0.1',
    PARLEY_DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    // Each has to read the catalogue and to plan its statements, in hundreds of databases.
    PARLEY_DATABASE_CONNECTIONS: '6',
    // A machine that is crowded by tests refuses no call.
    PARLEY_LATE_SOUND_PERCENT: '100',
    // Beside other work on this machine, recordings would wait for hours.
    PARLEY_TRANSCRIBE_NICENESS: '0',
    PARLEY_SECRET: 'a secret for tests only',
    PARLEY_WORKSPACE_ID: workspaceId,
    PARLEY_API_KEY: unboundKey,
    PARLEY_WORKSPACE_API_KEY: boundKey,
    PARLEY_ADMIN_PASSWORD: admin.password,
    ...env,
  })
  const service = await startService(
    config,
    pino({ level: 'info' }, { write: (line) => void log.push(line) }),
    openRunner,
    openEngine,
    carriers,
  )
  const url = `http://${config.host}:${service.port}`

  const bare = async (method: string, path: string, { headers = {}, body }: Ask = {}): Promise<Reply> => {
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const json = text !== '' && response.headers.get('content-type')?.includes('json')
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: json ? JSON.parse(text) : undefined,
    }
  }

  return {
    url,
    database,
    log,
    service,
    dataDir,
    bare,
    ask: (method, path, { headers = {}, body } = {}) =>
      bare(method, `/agent/v1${path}`, {
        headers: {
          'x-api-key': boundKey,
          ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
          ...headers,
        },
        body,
      }),
    async close() {
      await service.stop()
      if (!shared) await database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
