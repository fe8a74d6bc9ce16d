// A whole service as a child process with its own data directory. Used by bench/ and faults/.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { onExit } from './cleanup-on-exit.ts'
import { killPostgres, whenGone } from './postgres-processes.ts'

export const apiKey = 'svc_bench000000000000000000000000000000000000'
export const workspaceId = '11111111-1111-4111-8111-111111111111'

const main = fileURLToPath(new URL('../server/src/main/all.ts', import.meta.url))
// Small compared with the hundreds of milliseconds that are measured.
const pollMs = 5
// Ten times what a start takes on a busy machine; beyond it, something is wrong.
const startTimeoutMs = 120_000

/** A data directory and a port that outlive the processes using them. */
export interface Home {
  readonly dataDir: string
  readonly port: number
  readonly url: string
  readonly logFile: string
  /** Ends the database that a killed service leaves behind, and removes the folder. */
  remove(): Promise<void>
}

/** `kept`: a data directory that stays for the next run. */
export async function makeHome(kept?: string): Promise<Home> {
  if (kept !== undefined) await mkdir(kept, { recursive: true })
  const dataDir = kept ?? (await mkdtemp(join(tmpdir(), 'parley-bench-')))
  const discard = () => {
    if (kept === undefined) rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
  const cleanup = onExit(() => {
    killPostgres(dataDir)
    discard()
  })
  const port = await freePort()
  return {
    dataDir,
    port,
    url: `http://127.0.0.1:${port}`,
    logFile: join(dataDir, 'service.log'),
    async remove() {
      await whenGone(killPostgres(dataDir))
      discard()
      cleanup.cancel()
    },
  }
}

export interface Child {
  readonly pid: number
  /** From spawn to the first response. */
  readonly readyMs: number
  /** SIGTERM, without a timeout. */
  stop(): Promise<void>
  /** SIGKILL. */
  kill(): Promise<void>
}

export interface StartOptions {
  readonly nodeArgs?: readonly string[]
  /** A program other than the service itself, such as one with other lines. */
  readonly program?: string
  readonly env?: Readonly<Record<string, string>>
}

export function startService(
  home: Home,
  { nodeArgs = [], program = main, env = {} }: StartOptions = {},
): Promise<Child> {
  const settings = {
    HOST: '127.0.0.1',
    PORT: String(home.port),
    PARLEY_DATA_DIR: home.dataDir,
    PARLEY_WORKSPACE_ID: workspaceId,
    PARLEY_WORKSPACE_API_KEY: apiKey,
    PARLEY_RATE_LIMIT: '100000000',
    PARLEY_LOG_FORMAT: 'json',
    // As `make run` does.
    MALLOC_MMAP_THRESHOLD_: '262144',
    // The choice of the voice is measured at a first start: not while something else is.
    PARLEY_TTS: 'wren',
    // What is measured is how late it gets, not when it refuses.
    PARLEY_LATE_SOUND_PERCENT: '100',
    ...env,
  }
  return startNode([...nodeArgs, program], settings, home.logFile, () => answersAgents(home.url))
}

/**
 * A Node program with its output in a file, ready once `isReady` is true. It sees none of our settings except `env`.
 */
export async function startNode(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  logFile: string,
  isReady: () => Promise<boolean>,
): Promise<Child> {
  const output = openSync(logFile, 'a')
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  const cleanup = onExit(() => child.kill('SIGKILL'))
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve())).then(cleanup.cancel)
  while (!(await isReady())) {
    if (hasEnded(child) || performance.now() - startedAt > startTimeoutMs) {
      child.kill('SIGKILL')
      throw new Error(`a child did not start:\n${readFileSync(logFile, 'utf8').slice(-2_000)}`)
    }
    await sleep(pollMs)
  }
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return gone
  }
  return {
    pid: child.pid as number,
    readyMs: performance.now() - startedAt,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

/** Liveness first, which is cheap, then a request that needs the key cache and the database. */
export const answersAgents = async (url: string): Promise<boolean> =>
  (await answers(`${url}/healthz`)) && answers(`${url}/agent/v1/agents?limit=1`)

export const answers = (url: string): Promise<boolean> =>
  fetch(url, { headers: { 'x-api-key': apiKey } }).then(
    async (response) => {
      await response.arrayBuffer()
      return response.ok
    },
    () => false,
  )

/** Free a moment ago; nothing else on the loopback should take it meanwhile. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
}
