// The first start, later starts, the stop, and every invalid setting: with a process of its own where that matters.
import { spawnSync } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startService } from '../../src/main/service.ts'
import { readConfig } from '../../src/platform/config.ts'
import { pidOf } from '../../src/platform/db/postmaster-pid.ts'
import { describeUnless, itUnless } from '../props/unless.ts'
import { canOpenNamespace } from '../support/namespace/namespace.ts'
import { type RunningProcess, runToItsEnd, spawnService, startProcess } from '../support/process.ts'
import { makeDatabase } from '../support/service.ts'

/** A data folder and the services that run on it. */
class DataFolder {
  readonly path: string
  readonly #started: RunningProcess[] = []

  constructor(path: string) {
    this.path = path
  }

  static async make(): Promise<DataFolder> {
    return new DataFolder(await mkdtemp(join(tmpdir(), 'parley-process-')))
  }

  /** With a path that is too long for a socket. */
  static async makeDeep(): Promise<DataFolder> {
    const path = join((await DataFolder.make()).path, 'x'.repeat(120))
    await mkdir(path)
    return new DataFolder(path)
  }

  async start(env: Record<string, string> = {}, through: readonly string[] = []): Promise<RunningProcess> {
    const service = await startProcess({ PARLEY_DATA_DIR: this.path, ...env }, { through })
    this.#started.push(service)
    return service
  }

  get postgres(): number | undefined {
    return pidOf(join(this.path, 'postgres'))
  }

  async remove(): Promise<void> {
    for (const service of this.#started) await service.end('SIGTERM')
    if (this.postgres) process.kill(this.postgres, 'SIGINT')
    await vi.waitUntil(() => !this.postgres, { timeout: 150_000 })
    await rm(this.path, { recursive: true, force: true })
  }
}

const firstRun = async (folder: string) => JSON.parse(await readFile(join(folder, 'first-run.json'), 'utf8'))

const ask = (
  service: Pick<RunningProcess, 'url'>,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
) =>
  fetch(`${service.url}/agent/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

const makeAgent = async (service: RunningProcess, key: string, idempotencyKey = 'one') => {
  const body = { agent_config: { agent_name: 'Ada', llm_agent: {} } }
  const response = await ask(
    service,
    'POST',
    '/agents',
    { 'x-api-key': key, 'idempotency-key': idempotencyKey },
    body,
  )
  expect(response.status).toBe(201)
  return ((await response.json()) as { data: { agent_id: string } }).data.agent_id
}

// Each step begins where the last one ended: a start takes seconds.
describe('the life of a data folder, in a path that is too long for a socket', () => {
  let folder: DataFolder
  let service: RunningProcess
  let key: string
  let agent: string
  beforeAll(async () => {
    folder = await DataFolder.makeDeep()
  })
  afterAll(async () => {
    await folder.remove()
    await rm(dirname(folder.path), { recursive: true, force: true })
  })

  const agentStatus = async () => (await ask(service, 'GET', `/agents/${agent}`, { 'x-api-key': key })).status

  it('begins with the addresses, the workspace and two working keys, readable by the owner only', async () => {
    service = await folder.start()
    const facts = await firstRun(folder.path)
    for (const shown of [`${service.url}/agent/v1`, '/docs', '/dashboard/'])
      expect(service.output()).toContain(shown)
    for (const fact of Object.values<string>(facts)) expect(service.output()).toContain(fact)
    expect((await stat(join(folder.path, 'first-run.json'))).mode & 0o777).toBe(0o600)
    expect((await stat(join(folder.path, 'secret'))).mode & 0o777).toBe(0o600)

    const bound = await ask(service, 'GET', '/agents', { 'x-api-key': facts.workspace_api_key })
    const unbound = await ask(service, 'GET', '/agents', {
      'x-api-key': facts.api_key,
      'x-workspace-id': facts.workspace_id,
    })
    const scopeless = await ask(service, 'GET', '/agents', { 'x-api-key': facts.api_key })
    expect([bound.status, unbound.status, scopeless.status]).toEqual([200, 200, 411])
    expect((await fetch(`${service.url}/docs`)).status).toBe(200)
    expect((await fetch(`${service.url}/dashboard/`)).status).toBe(200)
    key = facts.workspace_api_key
    agent = await makeAgent(service, key)
  })

  it('restarts its database if that dies', async () => {
    process.kill(folder.postgres as number, 'SIGKILL')
    await expect.poll(agentStatus).toBe(200)
    await expect.poll(async () => (await fetch(`${service.url}/readyz`)).status).toBe(200)
  })

  it('shares its database with a second process, which keeps running when the first stops', async () => {
    const first = service
    service = await folder.start()
    expect(await first.end()).toBe(0)
    expect(await agentStatus()).toBe(200)
  })

  it('after kill -9 adopts the database that is still running, and all data is there', async () => {
    await service.end('SIGKILL')
    const { postgres } = folder
    expect(postgres).toBeDefined()
    service = await folder.start()
    expect(folder.postgres).toBe(postgres)
    expect(await agentStatus()).toBe(200)
  })

  it('after a crash of everything recovers, even if another program has the old process id', async () => {
    const lock = join(folder.path, 'postgres', 'postmaster.pid')
    const held = await readFile(lock, 'utf8')
    const postgres = folder.postgres as number
    await service.end('SIGKILL')
    process.kill(postgres, 'SIGKILL')
    await expect.poll(() => folder.postgres).toBeUndefined()
    await writeFile(lock, held.replace(/^\d+/, String(process.pid)))
    service = await folder.start()
    expect(await agentStatus()).toBe(200)
  })

  it('stops its database with itself, prints no secrets at a later start, and all data is there', async () => {
    expect(await service.end()).toBe(0)
    expect(folder.postgres).toBeUndefined()
    service = await folder.start()
    expect(service.output()).not.toContain('svc_')
    expect(await agentStatus()).toBe(200)
  })

  it('goes on when nobody reads its output any more, and stops when it is told to', async () => {
    service.child.stdout?.destroy()
    service.child.stderr?.destroy()
    expect(await agentStatus()).toBe(200)
    expect(await service.end('SIGTERM')).toBe(0)
  })
})

let folder: DataFolder
let dataDir: string
const start = (env?: Record<string, string>, through?: readonly string[]) => folder.start(env, through)

beforeEach(async () => {
  folder = await DataFolder.make()
  dataDir = folder.path
})
afterEach(() => folder.remove())

/** A database that is there already: to make one of its own takes a service seconds. */
async function readyDatabase() {
  const database = await makeDatabase()
  onTestFinished(() => database.close())
  return { database, env: { DATABASE_URL: database.url, PARLEY_SECRET: 'a secret for tests' } }
}

/** Starts a service in this process: nothing that is tested depends on one of its own. */
async function startHere(env: Record<string, string>): Promise<{ readonly url: string }> {
  const config = readConfig({ HOST: '127.0.0.1', PORT: '0', PARLEY_DATA_DIR: dataDir, ...env })
  const service = await startService(config, pino({ level: 'silent' }))
  onTestFinished(() => service.stop())
  return { url: `http://127.0.0.1:${service.port}` }
}

describe('the first start', () => {
  it('uses the values from the environment', async () => {
    const { env: ready } = await readyDatabase()
    const env = {
      PARLEY_WORKSPACE_ID: '33333333-3333-4333-8333-333333333333',
      PARLEY_API_KEY: 'my-own-unbound-key',
      PARLEY_WORKSPACE_API_KEY: 'my-own-bound-key',
    }
    const service = await startHere({ ...ready, ...env, PARLEY_ROLES: 'api' })
    expect(await firstRun(dataDir)).toMatchObject({
      workspace_id: env.PARLEY_WORKSPACE_ID,
      api_key: env.PARLEY_API_KEY,
      workspace_api_key: env.PARLEY_WORKSPACE_API_KEY,
    })
    expect((await ask(service, 'GET', '/agents', { authorization: 'my-own-bound-key' })).status).toBe(200)
  })

  it('uses the same values again if it was killed before they were stored', async () => {
    const kept = {
      workspace_id: '44444444-4444-4444-8444-444444444444',
      workspace_api_key: 'svc_kept_from_before',
      api_key: 'svc_kept_unbound',
      dashboard_email: 'admin@parley.example',
      dashboard_password: 'kept from before',
    }
    await writeFile(join(dataDir, 'first-run.json'), JSON.stringify(kept))
    const { env } = await readyDatabase()
    const service = await startHere({ ...env, PARLEY_ROLES: 'api' })
    expect((await ask(service, 'GET', '/agents', { 'x-api-key': kept.workspace_api_key })).status).toBe(200)
    const signedIn = await fetch(`${service.url}/dashboard/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: kept.dashboard_email, password: kept.dashboard_password }),
    })
    expect(signedIn.status).toBe(201)
  })
})

describe('a running service', () => {
  it('answers requests in flight before it stops', async () => {
    const { database, env } = await readyDatabase()
    const service = await start(env)
    const { workspace_api_key: key } = await firstRun(dataDir)
    const agent = await makeAgent(service, key)
    // The update waits for this lock, and the stop for the update.
    await database.query('CREATE TABLE holding ()')
    await database.query(
      "CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END'",
    )
    await database.query('CREATE TRIGGER hold BEFORE UPDATE ON agents FOR EACH ROW EXECUTE FUNCTION hold()')
    const [held] = await database.query<{ pid: number }>(
      'SELECT pg_backend_pid() AS pid, pg_advisory_lock(1)',
    )
    const answer = ask(
      service,
      'PATCH',
      `/agents/${agent}`,
      { 'x-api-key': key },
      { agent_config: { agent_name: 'B' } },
    )
    await expect
      .poll(
        async () =>
          (await database.query("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")).length,
      )
      .toBe(1)
    const ended = service.end('SIGTERM')
    await expect.poll(() => service.output()).toContain('stopping')
    await database.query('SELECT pg_terminate_backend($1)', [held?.pid]).catch(() => {})
    expect((await answer).status).toBe(200)
    expect(await ended).toBe(0)
  })

  it('is stopped whole while it still starts', async () => {
    const { child, ended } = spawnService({ PARLEY_DATA_DIR: dataDir })
    await expect.poll(() => folder.postgres).toBeDefined()
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(folder.postgres).toBeUndefined()
  })

  it('without the api role serves only health and metrics', async () => {
    const { env } = await readyDatabase()
    const service = await startHere({ ...env, PARLEY_ROLES: 'worker' })
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
    expect((await fetch(`${service.url}/agent/v1/agents`)).status).toBe(404)
  })
})

const asRoot = process.getuid?.() === 0
const nobody = 65_534
const repository = fileURLToPath(new URL('../../../', import.meta.url))
const code = fileURLToPath(new URL('../../src/main/all.ts', import.meta.url))
const reachable =
  asRoot && spawnSync('head', ['-c1', code, process.execPath], { uid: nobody, gid: nobody }).status === 0

const notRoot = asRoot && reachable ? undefined : 'only root can start it as others, where others can read it'

// What may be written is a mount of its own, and so is our code, before everything becomes read-only.
const readOnly = `
  for own in "$0" '${repository}'; do mount --bind "$own" "$own" || exit; done
  for all in '${repository}' /; do mount -o remount,bind,ro "$all" || exit; done
  exec "$@"`
const withoutRights = ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all', '--clear-groups']

/** As the image is run: with an ordinary user, no capabilities, and one folder that may be written. */
const inContainer = (folder: string): string[] => [
  ...['unshare', '--mount', 'sh', '-c', readOnly, folder],
  ...['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, ...withoutRights],
]

describeUnless(notRoot, 'started by root, and by others', () => {
  const noMounts = canOpenNamespace() ? undefined : 'only root can open network namespaces'
  itUnless(noMounts, 'runs as an ordinary user on a read-only file system, as in our image', async () => {
    await chown(dataDir, nobody, nobody)
    const service = await start({}, inContainer(dataDir))
    const tried = spawnSync('nsenter', ['--mount', '-t', `${service.child.pid}`, 'touch', code])
    expect(String(tried.stderr)).toContain('Read-only file system')
    const { workspace_api_key: key } = await firstRun(dataDir)
    await makeAgent(service, key)
    expect((await stat(join(dataDir, 'postgres'))).uid).toBe(nobody)
    expect(await service.end()).toBe(0)
  })

  it('runs as root without user namespaces, as in many containers', async () => {
    // An unshare that fails, as in such a container.
    const fake = join(dataDir, 'bin')
    await mkdir(fake)
    await writeFile(join(fake, 'unshare'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    const home = join(dataDir, 'home')
    await chmod(dataDir, 0o755)
    const service = await start({ PATH: `${fake}:${process.env.PATH}`, PARLEY_DATA_DIR: home })
    const { workspace_api_key: key } = await firstRun(home)
    await makeAgent(service, key)
    expect((await stat(join(home, 'postgres'))).uid).not.toBe(0)
    expect(await service.end()).toBe(0)
  })
})

describe('an invalid setting', () => {
  // Settings that are wrong by themselves: platform/config.test.ts.
  it.each<[string, Record<string, string>, RegExp]>([
    ['PORT', { PORT: 'http' }, /^PORT must be a whole number; "http" is not\.$/],
    [
      'DATABASE_URL',
      { DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/x', PARLEY_SECRET: 'long enough' },
      /^DATABASE_URL does not lead to a PostgreSQL that lets us in: .*ECONNREFUSED.*$/,
    ],
  ])('is reported in one sentence that names it, with exit code 1: %s', async (_name, env, sentence) => {
    const { code, output } = await runToItsEnd({ PARLEY_DATA_DIR: dataDir, ...env })
    expect(output.trim()).toMatch(sentence)
    expect(output).not.toContain('hunter2')
    expect(code).toBe(1)
  })

  it.each<[string, Record<string, string>, string]>([
    ['HOST', { HOST: '203.0.113.7' }, 'HOST 203.0.113.7 is not an address of this machine.'],
    [
      'PARLEY_DATA_DIR',
      { PARLEY_DATA_DIR: '/dev/null/data' },
      'PARLEY_DATA_DIR is /dev/null/data, which cannot be written (ENOTDIR).',
    ],
  ])('%s in %j', async (_name, env, sentence) => {
    await expect(startHere(env)).rejects.toThrow(sentence)
  })

  it('PORT, if another program uses it', async () => {
    const other = createServer()
    await new Promise<void>((ready) => other.listen(0, '127.0.0.1', ready))
    const { port } = other.address() as { port: number }
    await expect(startHere({ PORT: String(port) })).rejects.toThrow(
      `PORT ${port} is in use by another program; stop that one or choose another.`,
    )
    other.close()
    expect(pidOf(join(dataDir, 'postgres'))).toBeUndefined()
  })

  it('DATABASE_URL, if there is no such database', async () => {
    const { env } = await readyDatabase()
    const url = env.DATABASE_URL.replace(/test_\w+$/, 'no_such_database')
    await expect(startHere({ ...env, DATABASE_URL: url })).rejects.toThrow(
      'DATABASE_URL does not lead to a PostgreSQL that lets us in: database "no_such_database" does not exist.',
    )
  })
})
