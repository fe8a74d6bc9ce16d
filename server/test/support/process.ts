// The service as a process: its environment, its output and its exit.
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../src/main/all.ts', import.meta.url))

export interface RunningProcess {
  readonly child: ChildProcess
  /** Everything printed so far. */
  readonly output: () => string
  readonly url: string
  readonly ended: Promise<number | null>
  end(signal?: NodeJS.Signals): Promise<number | null>
}

export interface EndedProcess {
  readonly code: number | null
  readonly output: string
}

/** The same with scripted calls instead of audio. */
export const mediaProcess = fileURLToPath(new URL('./media-process.ts', import.meta.url))

// The only variables that are passed on: nothing else of this environment may decide what a service under test does.
const inherited = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }

interface How {
  readonly program?: string
  /** A command that runs the one after it, such as `setpriv` with its options. */
  readonly through?: readonly string[]
}

/** Starts it and waits for nothing. */
export const spawnService = (env: Record<string, string>, { program = main, through = [] }: How = {}) => {
  const [command = '', ...args] = [...through, process.execPath, program]
  const child = spawn(command, args, {
    env: {
      ...inherited,
      HOST: '127.0.0.1',
      PORT: '0',
      PARLEY_TTS: 'wren',
      // A machine that is crowded by tests refuses no call.
      PARLEY_LATE_SOUND_PERCENT: '100',
      PARLEY_TRANSCRIBE_NICENESS: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (data) => (output += data))
  child.stderr.on('data', (data) => (output += data))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, output: () => output, ended }
}

/** Starts it and waits until it is ready. */
export async function startProcess(env: Record<string, string>, how?: How): Promise<RunningProcess> {
  const { child, output, ended } = spawnService(env, how)
  const ready = new Promise<void>((resolve) => {
    child.stdout.on('data', () => output().includes('is ready') && output().includes('/healthz') && resolve())
    child.stdout.on('data', () => /Dashboard {7}http/.test(output()) && resolve())
  })
  await Promise.race([ready, ended])
  const url = output().match(/http:\/\/[^/\s]+/)?.[0]
  if (!url) throw new Error(`the service did not start:\n${output()}`)
  return {
    child,
    output,
    url: url.replace('localhost', '127.0.0.1'),
    ended,
    end(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}

/** Starts it and waits until it exits. */
export async function runToItsEnd(env: Record<string, string>): Promise<EndedProcess> {
  const { output, ended } = spawnService(env)
  return { code: await ended, output: output() }
}
