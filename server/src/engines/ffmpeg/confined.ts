// Runs the ffmpeg programs on untrusted files: no shell, no environment, no network protocols, and limits on time,
// memory and output.
import { spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'

// The usual install locations; PATH is deliberately ignored.
const folders = ['/usr/local/bin', '/usr/bin', '/bin', '/opt/homebrew/bin']

export async function findProgram(name: string, firstFolder?: string): Promise<string | undefined> {
  for (const folder of firstFolder ? [firstFolder] : folders) {
    const path = join(folder, name)
    if (
      await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return path
  }
  return undefined
}

export interface Confinement {
  readonly wallSeconds: number
  readonly cpuSeconds: number
}

// Enough for one thread of any decoder; a file that needs more is hostile.
const memoryBytes = 2 * 1024 ** 3
// Enough for input, output and the shared libraries.
const mostOpenFiles = 64
// Only the last lines of stderr are kept, which name the cause.
const mostComplaintBytes = 8_192

export type ProcessEnd =
  | { readonly of: 'exit'; readonly code: number | null; readonly complaint: string }
  | { readonly of: 'timeout' }
  /** The consumer wanted no more output. */
  | { readonly of: 'enough' }

/** `take` receives the output chunk by chunk and returns whether it wants more. Throws when the signal aborts. */
export async function runConfined(
  program: string,
  args: readonly string[],
  { wallSeconds, cpuSeconds }: Confinement,
  take: (chunk: Buffer) => Promise<boolean> | boolean,
  signal: AbortSignal,
): Promise<ProcessEnd> {
  signal.throwIfAborted()
  const [command, all] = await capped(program, args, cpuSeconds)
  const child = spawn(command, all, { env: {}, stdio: ['ignore', 'pipe', 'pipe'], cwd: '/' })
  let ending: ProcessEnd | undefined
  const stop = (why?: ProcessEnd) => {
    ending ??= why
    child.kill('SIGKILL')
  }
  const timer = setTimeout(() => stop({ of: 'timeout' }), wallSeconds * 1000)
  const abort = () => stop()
  signal.addEventListener('abort', abort)
  let complaint = ''
  child.stderr.on('data', (text) => {
    complaint = (complaint + text).slice(-mostComplaintBytes)
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  // The promise may reject before the output has ended, and is awaited below.
  ended.catch(() => {})
  try {
    for await (const chunk of child.stdout) if (!(await take(chunk))) stop({ of: 'enough' })
    const code = await ended
    signal.throwIfAborted()
    return ending ?? { of: 'exit', code, complaint }
  } finally {
    stop()
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

/** Caps a program with prlimit where available (every Linux); elsewhere only the wall-clock limit applies. */
async function capped(
  program: string,
  args: readonly string[],
  cpuSeconds: number,
): Promise<[string, readonly string[]]> {
  const prlimit = await findProgram('prlimit')
  if (!prlimit) return [program, args]
  const caps = [
    `--cpu=${cpuSeconds}`,
    `--as=${memoryBytes}`,
    `--nofile=${mostOpenFiles}`,
    '--fsize=0',
    '--core=0',
  ]
  return [prlimit, [...caps, '--', program, ...args]]
}
