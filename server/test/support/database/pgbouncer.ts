// PgBouncer in transaction mode in front of a test's database, set up as deploy/database/pgbouncer.ini says.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { runnerFor } from '../../../src/platform/db/as-ordinary-user.ts'
import type { TestDatabase } from '../service.ts'

const program = '/usr/sbin/pgbouncer'
const version = spawnSync(program, ['--version']).stdout?.toString() ?? ''

/** The reason to skip a test: what it needs; undefined if PgBouncer is installed. */
export const noPgbouncer = version === '' ? 'pgbouncer is not installed' : undefined

/** Since 1.21. */
export const knowsNames = Number(/PgBouncer 1\.(\d+)/.exec(version)?.[1] ?? 0) >= 21

export interface Pgbouncer {
  readonly url: string
  stop(): Promise<void>
}

export interface PgbouncerOptions {
  /** Connections to the server, for all clients together. */
  readonly connections: number
  /** Without the parameters that it should set. */
  readonly bare?: boolean
}

const shipped = new URL('../../../../deploy/database/pgbouncer.ini', import.meta.url)

export async function startPgbouncer(
  database: TestDatabase,
  { connections, bare = false }: PgbouncerOptions,
): Promise<Pgbouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-pgbouncer-'))
  const [, host = '', name] = /@([^/]+)\/(.+)$/.exec(database.url) ?? []
  const ini = (await readFile(shipped, 'utf8'))
    .replace(/^parley_read .*\n/m, '')
    .replace(
      /^parley = host=\S+ port=\S+ dbname=\S+/m,
      `parley = host=${decodeURIComponent(host)} user=parley dbname=${name}`,
    )
    .replace(/connect_query='.*'/, (query) => (bare ? '' : query))
    .replace(/^listen_addr = .*$/m, 'listen_addr =')
    .replace(/^unix_socket_dir =$/m, `unix_socket_dir = ${folder}`)
    .replace(/^auth_type = .*\nauth_file = .*$/m, 'auth_type = any')
    .replace(/^default_pool_size = .*$/m, `default_pool_size = ${connections}`)
    .replace(/^;(max_prepared_statements)/m, knowsNames ? '$1' : ';$1')
  await writeFile(join(folder, 'pgbouncer.ini'), ini)
  const started = runnerFor([folder])(program, [join(folder, 'pgbouncer.ini')])
  const { options } = started
  const child = spawn(started.program, started.args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
  let complaint = ''
  child.stderr?.on('data', (text) => (complaint += text))
  const gone = once(child, 'exit')
  const url = `postgresql://parley@${encodeURIComponent(folder)}:6432/parley`
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start:\n${complaint}`)
    await sleep(20)
  }
  return {
    url,
    async stop() {
      child.kill('SIGKILL')
      await gone
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
