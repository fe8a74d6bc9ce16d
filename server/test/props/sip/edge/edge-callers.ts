// Callers of the edge, by sipp: they call at a steady rate, stay for a while and hang up, and go on with the call when another
// worker does. What has become of each is read from sipp's log.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface CallersOptions {
  readonly to: { readonly address: string; readonly port: number }
  /** Who is called. */
  readonly user: string
  readonly calls: number
  readonly perSecond: number
  readonly holdMs: number
  /** Where they call from. */
  readonly from?: string
}

/** In milliseconds since 1970; undefined: that did not happen. */
export interface PlacedCall {
  readonly number: number
  readonly invitedMs: number
  readonly answeredMs: number | undefined
  readonly resumedMs: number | undefined
  readonly refusedMs: number | undefined
  /** Our BYE was answered. */
  readonly endedMs: number | undefined
  /** It was not, because the worker was gone. */
  readonly leftMs: number | undefined
}

export interface Callers {
  /** Resolves when the last of them is done. */
  readonly done: Promise<readonly PlacedCall[]>
  stop(): void
}

const scenario = new URL('../scenarios/edge-caller.xml', import.meta.url)

export async function startCallers(options: CallersOptions): Promise<Callers> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-callers-'))
  const file = join(folder, 'caller.xml')
  await writeFile(file, (await readFile(scenario, 'utf8')).replaceAll('HOLD_MS', String(options.holdMs)))
  const { address, port } = options.to
  const log = join(folder, 'events.log')
  const child = spawn(
    'sipp',
    [
      ...['-sf', file, '-s', options.user, '-i', options.from ?? '127.0.0.3'],
      ...['-r', String(options.perSecond), '-m', String(options.calls), '-l', String(options.calls)],
      ...[
        '-recv_timeout',
        '30000',
        '-default_behaviors',
        'none',
        '-nostdin',
        '-trace_logs',
        '-log_file',
        log,
      ],
      `${address}:${port}`,
    ],
    { cwd: folder, stdio: 'ignore' },
  )
  const read = async () => {
    await once(child, 'exit')
    const calls = readEvents(await readFile(log, 'utf8'))
    await rm(folder, { recursive: true, force: true })
    return calls
  }
  return { done: read(), stop: () => void child.kill('SIGKILL') }
}

// 2026-11-16 22:20:01.123456 <tab or space> 17 answered
const eventForm =
  /^(\d{4}-\d\d-\d\d)[ \t]+(\d\d:\d\d:\d\d\.\d{3})\d*\D.*?\b(\d+) (invited|answered|resumed|refused|ended|left)\s*$/

function readEvents(log: string): PlacedCall[] {
  const found = new Map<number, Map<string, number>>()
  for (const line of log.split('\n')) {
    const [, day, time, number, event = ''] = eventForm.exec(line) ?? []
    if (number === undefined) continue
    const call = found.get(Number(number)) ?? new Map<string, number>()
    // The first of each: a re-INVITE may come again.
    if (!call.has(event)) call.set(event, new Date(`${day}T${time}`).getTime())
    found.set(Number(number), call)
  }
  return [...found].map(([number, events]) => ({
    number,
    invitedMs: events.get('invited') ?? 0,
    answeredMs: events.get('answered'),
    resumedMs: events.get('resumed'),
    refusedMs: events.get('refused'),
    endedMs: events.get('ended'),
    leftMs: events.get('left'),
  }))
}
