// Endurance: a whole service with calls at half its capacity for hours. A line of a CSV every minute; after each piece the calls
// end, and the process must hold no more files, threads and memory than in its first minutes. No call may be lost.
// Sound and records are real; the engines of the agents are in memory.
//   node faults/long-load.ts [--hours 8] [--piece-minutes 30] [--pieces 4] [--calls 50] [--csv faults/long-load.csv] [--data folder]
// The hours may be spread over several runs, of so many pieces each: a run goes on with the curve in the file, and with `--data` on the
// database of the run before it.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { freePort, makeHome, startService } from '../bench/service-process.ts'
import { openDb } from '../server/src/platform/db/db.ts'
import { openCallLanes } from './call-lanes.ts'
import { collectGarbage, debuggedAt } from './collect-garbage.ts'
import { faultsIn, type Moment, openCurve, type Point } from './curve.ts'
import { openSampler } from './process-sample.ts'

interface LongLoad {
  /** How long the whole curve takes. */
  readonly hours: number
  readonly pieceMinutes: number
  /** How many pieces this run adds, at most. */
  readonly pieces: number
  /** Calls at a time; the service has room for twice as many. */
  readonly calls: number
  readonly csvFile: string
  readonly dataDir: string | undefined
}

const program = fileURLToPath(new URL('./edge-media-process.ts', import.meta.url))
const minuteMs = 60_000
// The warm-up, in which code is compiled and caches are filled: what the process holds after it should not grow.
const warmUpMs = 2 * minuteMs
// The rest after a piece, in which unused connections are closed and the garbage of the last calls is collected.
const restMs = 30_000

/** The curve so far, with what this run added. */
async function runLongLoad(load: LongLoad, say: (line: string) => void): Promise<readonly Point[]> {
  const curve = openCurve(load.csvFile)
  const home = await makeHome(load.dataDir)
  const debugPort = await freePort()
  const service = await startService(home, {
    program,
    nodeArgs: [debuggedAt(debugPort)],
    env: {
      PARLEY_MEDIA_CAPACITY: String(2 * load.calls),
      PARLEY_WORKSPACE_CONCURRENCY: String(2 * load.calls),
      PARLEY_NUMBER_CONCURRENCY: String(2 * load.calls),
      PARLEY_CALL_EVENT_DELAY_SECONDS: '0',
      PARLEY_WEBHOOK_ALLOW_PRIVATE: 'true',
      PARLEY_LOG_LEVEL: 'warn',
    },
  })
  const db = openDb({ host: join(home.dataDir, 'run'), user: 'parley', database: 'postgres' }, 1, () => {})
  const lanes = await openCallLanes(home.url)
  const sample = openSampler(service.pid, home.url, db)
  let loadedMs = curve.minutes * minuteMs
  const write = async (is: Moment, minutes: number) =>
    curve.add({ run: curve.run, is, minutes, ...(await sample()), ...lanes.counts })

  const runPiece = async (pieceMs: number, then: Moment) => {
    const beganMs = Date.now()
    const minutes = () => (loadedMs + Date.now() - beganMs) / minuteMs
    const over = new AbortController()
    const running = lanes.run(load.calls, sleep(pieceMs))
    const sampling = sampleEvery(over.signal, () => write('load', minutes()))
    await running.finally(() => over.abort())
    await sampling
    loadedMs += Date.now() - beganMs
    await sleep(restMs)
    await write(then, loadedMs / minuteMs)
    await collectGarbage(service.pid, debugPort)
    await write('collected', loadedMs / minuteMs)
    say(`${(loadedMs / minuteMs).toFixed(0)} min: ${described(curve.points.at(-1))}`)
  }

  try {
    await runPiece(warmUpMs, 'first')
    const leftMs = () => load.hours * 60 * minuteMs - loadedMs
    for (let piece = 0; piece < load.pieces && leftMs() > 0; piece++)
      await runPiece(Math.min(load.pieceMinutes * minuteMs, leftMs()), 'rest')
    return curve.points
  } finally {
    await lanes.close()
    await db.close()
    await service.stop()
    await home.remove()
  }
}

async function sampleEvery(signal: AbortSignal, write: () => Promise<unknown>): Promise<void> {
  while (await sleep(minuteMs, true, { signal }).catch(() => false)) await write()
}

const described = (point: Point | undefined): string =>
  point
    ? `${point.placed} calls in this run, ${point.lost} lost; ${point.rssMb.toFixed(0)} MB, ${point.files} files, ${point.threads} threads, ${point.waitingRows} rows at rest`
    : ''

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({
    options: {
      hours: { type: 'string', default: '8' },
      'piece-minutes': { type: 'string', default: '30' },
      pieces: { type: 'string', default: 'Infinity' },
      calls: { type: 'string', default: '50' },
      csv: { type: 'string', default: fileURLToPath(new URL('./long-load.csv', import.meta.url)) },
      data: { type: 'string' },
    },
  })
  const load = {
    hours: Number(values.hours),
    pieceMinutes: Number(values['piece-minutes']),
    pieces: Number(values.pieces),
    calls: Number(values.calls),
    csvFile: values.csv,
    dataDir: values.data,
  }
  const points = await runLongLoad(load, console.error)
  // Earlier runs were judged when they ended.
  const faults = faultsIn(points, points.at(-1)?.run)
  for (const fault of faults) console.log(fault)
  const ends = [...Map.groupBy(points, ({ run }) => run).values()].map((of) => of.at(-1))
  const total = (name: 'placed' | 'lost' | 'refused') =>
    ends.reduce((sum, end) => sum + (end?.[name] ?? 0), 0)
  const hours = ((points.at(-1)?.minutes ?? 0) / 60).toFixed(1)
  console.log(
    `${total('placed')} calls in ${hours} h of ${ends.length} runs: ${total('lost')} lost, ${total('refused')} refused`,
  )
  if (faults.length > 0) process.exitCode = 1
}
