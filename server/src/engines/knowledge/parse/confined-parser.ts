// Parses documents in a process of their own, with limits on time and memory: a hostile one fails alone.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { DocumentParser, DocumentType, ParseResult } from '../../../ports/document-parser.ts'
import { documentType } from './document-type.ts'

export interface ParserLimits {
  readonly wallMs: number
  readonly memoryMb: number
}

// A PDF of a thousand pages takes ten seconds and 300 MB.
const usualLimits: ParserLimits = { wallMs: 180_000, memoryMb: 1_024 }
// The result as JSON; the parser itself refuses documents with that much text.
const mostResultBytes = 64 * 1024 ** 2

const program = fileURLToPath(new URL('./parse-process.ts', import.meta.url))
/** The paths that the process may read: our sources and the libraries, but no data and no secrets. */
const readable = [
  '../../../../src/*',
  '../../../../package.json',
  '../../../../../node_modules/*',
  '../../../../node_modules/*',
]
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .map((path) => `--allow-fs-read=${path}`)

export const confinedParser = (limits: ParserLimits = usualLimits): DocumentParser => ({
  typeOf: documentType,
  parse: (content, type, signal) => parse(content, type, limits, signal),
})

async function parse(
  content: Buffer,
  type: DocumentType,
  { wallMs, memoryMb }: ParserLimits,
  signal: AbortSignal,
): Promise<ParseResult> {
  signal.throwIfAborted()
  const child = spawn(
    process.execPath,
    [
      ...['--permission', ...readable, '--allow-worker', '--no-warnings'],
      ...[`--max-old-space-size=${memoryMb}`, program, type, String(memoryMb)],
    ],
    { env: {}, stdio: ['pipe', 'ignore', 'ignore', 'pipe'] },
  )
  const kill = () => void child.kill('SIGKILL')
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    kill()
  }, wallMs)
  signal.addEventListener('abort', kill)
  // The process may end before it has read everything.
  child.stdin?.on('error', () => {}).end(content)
  const ended = once(child, 'close')
  // The promise rejects if the program cannot be started; it is awaited below.
  ended.catch(() => {})
  try {
    if (child.pid !== undefined) giveWay(child.pid)
    const written: Buffer[] = []
    let bytes = 0
    for await (const chunk of child.stdio[3] as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > mostResultBytes) kill()
      else written.push(chunk)
    }
    const [code] = (await ended) as [number | null]
    signal.throwIfAborted()
    if (isLate) return unreadable(`The document could not be read within ${wallMs / 1_000} seconds.`)
    if (code === 0 && bytes <= mostResultBytes)
      return JSON.parse(Buffer.concat(written).toString()) as ParseResult
    if (code === 1) return unreadable('The document is damaged: its parser broke off.')
    return unreadable(`The document could not be read with ${memoryMb} MB of memory.`)
  } finally {
    kill()
    clearTimeout(timer)
    signal.removeEventListener('abort', kill)
  }
}

const unreadable = (reason: string): ParseResult => ({ ok: false, reason })

/** Lowers the priority of the process: calls go first. */
function giveWay(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // The process has ended already.
  }
}
