// Third-party programs that tests run beside the service: linters that exit, proxies that listen.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

// Each is done or ready within seconds, on a busy machine within minutes; only one that hangs takes this long.
const patienceMs = 300_000

/** For the compiler, a Go program: a third of its time would go into collecting garbage that fits into memory. */
export const withoutCollecting = { GOGC: 'off', GOMEMLIMIT: '2GiB' }

// No telemetry, no update checks.
const quiet = {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  NO_UPDATE_NOTIFIER: '1',
  FORCE_COLOR: '0',
  NO_COLOR: '1',
}

function start(name: string, args: readonly string[], stdin: 'ignore' | number = 'ignore'): ChildProcess {
  const child = spawn(process.execPath, [`${root}node_modules/.bin/${name}`, ...args], {
    cwd: root,
    env: { ...process.env, ...quiet, ...withoutCollecting },
    stdio: [stdin, 'pipe', 'pipe'],
  })
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  child.once('close', () => process.off('exit', end))
  return child
}

/** A file, not a pipe: a program that reads a pipe synchronously may find nothing in it yet, and fail. */
function openInput(text: string): number {
  const folder = mkdtempSync(join(tmpdir(), 'parley-input-'))
  const file = join(folder, 'input')
  writeFileSync(file, text)
  const descriptor = openSync(file, 'r')
  rmSync(folder, { recursive: true })
  return descriptor
}

/** The program's output and exit code. */
export function runProgram(name: string, args: readonly string[], input = '') {
  const stdin = openInput(input)
  const child = start(name, args, stdin)
  closeSync(stdin)
  const output: string[] = []
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
  child.stdout?.on('data', (text) => output.push(String(text)))
  child.stderr?.on('data', (text) => output.push(String(text)))
  return new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ code, output: output.join('') })
    })
  })
}

export interface Listener {
  /** The match of the pattern, such as the URL that the program printed. */
  readonly found: string
  stop(): Promise<void>
}

/** Resolves when the output matches `ready`, with its first group. */
export function runUntilReady(name: string, args: readonly string[], ready: RegExp): Promise<Listener> {
  const child = start(name, args)
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  const stop = () => {
    child.kill('SIGKILL')
    return ended
  }
  let output = ''
  const timer = setTimeout(stop, patienceMs)
  return new Promise((resolve, reject) => {
    const listen = (text: unknown) => {
      output += String(text)
      const found = ready.exec(output)?.[1]
      if (!found) return
      clearTimeout(timer)
      resolve({ found, stop })
    }
    child.stdout?.on('data', listen)
    child.stderr?.on('data', listen)
    child.on('error', reject)
    child.on('close', () => {
      clearTimeout(timer)
      reject(new Error(`${name} ended before it was ready:\n${output}`))
    })
  })
}
