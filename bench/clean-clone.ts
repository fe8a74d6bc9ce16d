// What `make run` takes from a clean clone with empty caches, beside the last commit with the former voice, flite: seconds
// until the service answers, and what is downloaded. The clone is a shallow one, made from this repository.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onExit } from './cleanup-on-exit.ts'
import { printIfMain, type Row } from './row.ts'

const repository = fileURLToPath(new URL('..', import.meta.url))
const withFlite = '3996d88'
const ready = 'Parley is ready.'
const longestMs = 9 * 60_000

interface Start {
  readonly seconds: number
  readonly cloneMb: number
  readonly downloadMb: number
}

async function measure(): Promise<Row[]> {
  const ours = await startFrom('HEAD')
  const before = isHere(withFlite) ? await startFrom(withFlite) : undefined
  const row = (claim: string, of: (start: Start) => number, show: (value: number) => string): Row => ({
    claim,
    measured: show(of(ours)),
    yardstick: before ? `with flite ${show(of(before))}` : 'the commit with flite is not in this clone',
    ratio: before ? (of(ours) / of(before)).toFixed(2) : '–',
    target: 'none',
    verdict: 'no target',
  })
  const mb = (value: number) => `${value.toFixed(1)} MB`
  return [
    row(
      'make run from a clean clone, until it is ready',
      ({ seconds }) => seconds,
      (s) => `${s.toFixed(0)} s`,
    ),
    row('downloaded by it', ({ downloadMb }) => downloadMb, mb),
    row('the clone itself, of one commit', ({ cloneMb }) => cloneMb, mb),
  ]
}

const git = (args: readonly string[]) =>
  execFileSync('git', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    // A commit that no branch points at may be asked for by its name.
    env: {
      ...process.env,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'uploadpack.allowAnySHA1InWant',
      GIT_CONFIG_VALUE_0: 'true',
    },
  }).trim()

function isHere(commit: string): boolean {
  try {
    git(['-C', repository, 'cat-file', '-e', `${commit}^{commit}`])
    return true
  } catch {
    return false
  }
}

async function startFrom(commit: string): Promise<Start> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-clean-'))
  const cleanup = onExit(() => execFileSync('rm', ['-rf', folder]))
  try {
    const clone = join(folder, 'parley')
    git(['init', '--quiet', clone])
    const id = git(['-C', repository, 'rev-parse', commit])
    git(['-C', clone, 'fetch', '--quiet', '--depth', '1', `file://${repository}`, id])
    const cloneMb = Number(git(['-C', clone, 'count-objects', '-v']).match(/size-pack: (\d+)/)?.[1]) / 1_000
    git(['-C', clone, 'checkout', '--quiet', 'FETCH_HEAD'])
    const begunMs = performance.now()
    const beforeMb = receivedMb()
    const make = run(clone, folder)
    await untilReady(make)
    const seconds = (performance.now() - begunMs) / 1_000
    const downloadMb = receivedMb() - beforeMb
    process.kill(-(make.pid ?? 0), 'SIGTERM')
    await once(make, 'exit')
    const start = { seconds, cloneMb, downloadMb }
    console.error(commit, start)
    return start
  } finally {
    cleanup.cancel()
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 })
  }
}

/** Runs in a process group of its own, with no cache of this user; the registry that the user configured stays. */
function run(clone: string, home: string): ChildProcess {
  const settings = join(homedir(), '.npmrc')
  const child = spawn('make', ['run'], {
    cwd: clone,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      HOME: home,
      PORT: '0',
      PARLEY_MODELS_DIR: join(home, 'models'),
      ...(existsSync(settings) && { NPM_CONFIG_USERCONFIG: settings }),
    },
  })
  const cleanup = onExit(() => child.pid && process.kill(-child.pid, 'SIGTERM'))
  child.once('exit', () => cleanup.cancel())
  return child
}

async function untilReady(make: ChildProcess): Promise<void> {
  const late = setTimeout(() => make.kill(), longestMs)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let printed = ''
  // The pipe is not read in a loop, which would close it at its end while the service goes on writing.
  make.stdout?.on('data', (chunk) => {
    printed += chunk
    if (printed.includes(ready)) resolve()
  })
  make.once('exit', () => reject(new Error(`make run ended before it was ready:\n${printed.slice(-2_000)}`)))
  await promise.finally(() => clearTimeout(late))
}

/**
 * The megabytes that the machine has received over the default route since it was started: it should fetch nothing
 * else.
 */
function receivedMb(): number {
  const route = readFileSync('/proc/net/route', 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))
    .find(([, destination]) => destination === '00000000')
  return Number(readFileSync(`/sys/class/net/${route?.[0]}/statistics/rx_bytes`, 'utf8')) / 1e6
}

await printIfMain(import.meta.url, measure)
