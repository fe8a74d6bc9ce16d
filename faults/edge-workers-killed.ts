// Disaster: three media workers behind Kamailio and rtpengine, called by sipp at a steady rate. One worker is killed with -9 and
// started again, another is drained. New calls go on; calls of the killed one go on elsewhere or are recorded as lost. Signalling
// and sound are real; the engines of the agent are in memory, because this is not about them.
//   node faults/edge-workers-killed.ts [--seconds 60] [--rate 10]
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { startCallers } from '../server/test/props/sip/edge/edge-callers.ts'
import { checkEdge, type EdgeFindings } from './edge-check.ts'
import { type EdgeWorker, openEdgeFixture } from './edge-fixture.ts'
import { within } from './within.ts'

export interface EdgeLoad {
  readonly seconds: number
  /** New calls a second. */
  readonly rate: number
}

// Calls last longer than the drained worker waits: some of them end by themselves, others are handed over.
const holdMs = 8_000
const drainSeconds = 4

export async function killEdgeWorkers(
  { seconds, rate }: EdgeLoad,
  say: (line: string) => void,
): Promise<EdgeFindings> {
  const fixture = await openEdgeFixture({ workers: 3, drainSeconds })
  const { edge, agentId, workers } = fixture
  const callers = await startCallers({
    to: edge,
    user: agentId,
    calls: seconds * rate,
    perSecond: rate,
    holdMs,
  })
  try {
    const [killed, drained] = workers as [EdgeWorker, EdgeWorker]
    await sleep((seconds * 1_000) / 3)
    const killedMs = Date.now()
    await killed.child.kill()
    const held = new Set(await fixture.orphaned())
    say(`killed a worker with ${held.size} calls`)
    await sleep(Math.min(5_000, (seconds * 1_000) / 6))
    await killed.start()
    say('started it again')
    await sleep(Math.max(0, killedMs + (seconds * 1_000) / 3 - Date.now()))
    await within(drainSeconds + 60, 'a worker that drains', drained.child.stop())
    say('drained another')
    const placed = await within(seconds + 120, 'the last callers', callers.done)
    await fixture.allEnded()
    return checkEdge({ placed, records: await fixture.records(), killedMs, held })
  } finally {
    callers.stop()
    await fixture.close()
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({
    options: { seconds: { type: 'string', default: '60' }, rate: { type: 'string', default: '10' } },
  })
  const load = { seconds: Number(values.seconds), rate: Number(values.rate) }
  const findings = await killEdgeWorkers(load, console.error)
  for (const fault of findings.faults) console.log(fault)
  const { before, after, later } = findings.answerMs
  console.log(
    `${findings.placed} calls at ${load.rate}/s through the edge: ${findings.ended} ended as they should`,
  )
  console.log(
    `killed worker: ${findings.takenOver} calls went on in another, ${findings.lost} lost with their record and event`,
  )
  console.log(`drained worker: ${findings.handedOver} calls handed over`)
  console.log(`${findings.left} callers hung up on a worker that was gone, and their record says so`)
  console.log(
    `slowest answer: ${before} ms before the kill, ${after} ms in the 2 s after it, ${later} ms later`,
  )
  if (findings.faults.length > 0) process.exitCode = 1
}
