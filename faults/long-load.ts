// Endurance: a whole service with calls at half its capacity for hours, in pieces. A line of a CSV every minute; after each piece
// the calls end, and what the process holds at rest must be what it held after the first one. No call may be lost.
// Sound and records are real; the engines of the agents are in memory.
//   node faults/long-load.ts [--hours 8] [--piece-minutes 30] [--calls 50] [--csv long-load.csv]
import { appendFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { makeHome, startService } from '../bench/service-process.ts'
import { openCallLanes } from './call-lanes.ts'
import { openSampler, type ProcessSample } from './process-sample.ts'

export interface LongLoad {
  readonly hours: number
  readonly pieceMinutes: number
  /** At a time; the service has room for twice as many. */
  readonly calls: number
  readonly csvFile: string
  readonly sampleMs?: number
}

export interface LongFindings {
  readonly placed: number
  readonly lost: number
  readonly refused: number
  /** At rest, after each piece. */
  readonly rests: readonly ProcessSample[]
  /** One sentence for everything that should not be. */
  readonly faults: readonly string[]
}

const program = fileURLToPath(new URL('./edge-media-process.ts', import.meta.url))
const minuteMs = 60_000
// Connections that nobody uses are closed, and the garbage of the last calls is collected.
const restMs = 30_000
// More than these is a leak: the process is compared with itself at rest. Memory that the allocator keeps is none, nor are
// connections that are still open; a file for each call would be thousands.
const allowed: Readonly<Partial<Record<keyof ProcessSample, number>>> = {
  rssMb: 60,
  files: 40,
  threads: 2,
  callsLive: 0,
}

export async function runLongLoad(load: LongLoad, say: (line: string) => void): Promise<LongFindings> {
  const home = await makeHome()
  const service = await startService(home, {
    program,
    env: {
      PARLEY_MEDIA_CAPACITY: String(2 * load.calls),
      PARLEY_WORKSPACE_CONCURRENCY: String(2 * load.calls),
      PARLEY_NUMBER_CONCURRENCY: String(2 * load.calls),
      PARLEY_CALL_EVENT_DELAY_SECONDS: '0',
      PARLEY_WEBHOOK_ALLOW_PRIVATE: 'true',
      PARLEY_LOG_LEVEL: 'warn',
    },
  })
  const lanes = await openCallLanes(home.url)
  const sample = openSampler(service.pid, home.url)
  const beganMs = Date.now()
  const write = async (is: 'load' | 'rest'): Promise<ProcessSample> => {
    const found = await sample()
    const { placed, ended, lost, refused } = lanes.counts
    const minutes = (Date.now() - beganMs) / minuteMs
    const values = [minutes, ...Object.values(found)].map((value) => value.toFixed(2))
    await appendFile(load.csvFile, `${[is, ...values, placed, ended, lost, refused].join(',')}\n`)
    return found
  }
  const rests: ProcessSample[] = []
  try {
    const names = Object.keys(await sample())
    const header = ['is', 'minutes', ...names, 'placed', 'ended', 'lost', 'refused']
    await writeFile(load.csvFile, `${header.join(',')}\n`)
    const untilMs = beganMs + load.hours * 60 * minuteMs
    while (Date.now() < untilMs) {
      const pieceMs = Math.min(load.pieceMinutes * minuteMs, untilMs - Date.now())
      const over = new AbortController()
      const running = lanes.run(load.calls, sleep(pieceMs))
      const sampling = sampleEvery(load.sampleMs ?? minuteMs, over.signal, () => write('load'))
      await running.finally(() => over.abort())
      await sampling
      await sleep(restMs)
      rests.push(await write('rest'))
      say(`${lanes.counts.placed} calls, ${lanes.counts.lost} lost; ${describe(rests.at(-1))}`)
    }
    const { placed, lost, refused } = lanes.counts
    return { ...{ placed, lost, refused, rests }, faults: faultsOf(lanes.counts, rests) }
  } finally {
    lanes.close()
    await service.stop()
    await home.remove()
  }
}

async function sampleEvery(ms: number, signal: AbortSignal, write: () => Promise<unknown>): Promise<void> {
  while (await sleep(ms, true, { signal }).catch(() => false)) await write()
}

const describe = (rest: ProcessSample | undefined): string =>
  rest ? `${rest.rssMb.toFixed(0)} MB, ${rest.files} files, ${rest.threads} threads at rest` : ''

function faultsOf(
  { placed, lost }: { placed: number; lost: number },
  rests: readonly ProcessSample[],
): string[] {
  const [first, last] = [rests[0], rests.at(-1)]
  if (placed === 0 || !first || !last) return ['no call was placed']
  const grown = Object.entries(allowed).flatMap(([name, most]) => {
    const by = last[name as keyof ProcessSample] - first[name as keyof ProcessSample]
    return by > most ? [`${name} grew by ${by.toFixed(1)}, ${most} is allowed`] : []
  })
  return [...(lost > 0 ? [`${lost} calls were lost`] : []), ...grown]
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({
    options: {
      hours: { type: 'string', default: '8' },
      'piece-minutes': { type: 'string', default: '30' },
      calls: { type: 'string', default: '50' },
      csv: { type: 'string', default: 'long-load.csv' },
    },
  })
  const found = await runLongLoad(
    {
      hours: Number(values.hours),
      pieceMinutes: Number(values['piece-minutes']),
      calls: Number(values.calls),
      csvFile: values.csv,
    },
    console.log,
  )
  for (const fault of found.faults) console.log(fault)
  console.log(`${found.placed} calls in ${values.hours} h: ${found.lost} lost, ${found.refused} refused`)
  if (found.faults.length > 0) process.exitCode = 1
}
