// Endurance: ten thousand short calls over the sandbox line. Memory, handles, timers and threads must not grow.
//   node faults/ten-thousand-calls.ts [calls]
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { planFor, unmeasured } from '../bench/call-plan.ts'
import { atOnce, stubDetector, stubModel, stubTranscriber, stubVoice } from '../bench/stub-engines.ts'
import { startCall } from '../server/src/call/session.ts'
import { sandboxCarrier } from '../server/src/carriers/sandbox/sandbox.ts'
import { openTicker, type Ticker } from '../server/src/platform/clock/ticker.ts'
import type { CallOutcome } from '../server/src/ports/call.ts'
import type { Dialler } from '../server/src/ports/line.ts'
import { openRecording, recordingPath } from '../server/src/resources/calls/recordings/recording-file.ts'
import { openAmbience } from '../server/src/speech/ambience.ts'
import { grown, type Holdings, holdings, tolerance } from './holdings.ts'

const defaultCalls = 10_000
const callsAtOnce = 150
// Calls before the first measurement: by then all code is compiled, shared audio is cached, and the garbage of the start is collected.
const defaultWarmUp = 2_000
const sayEvery = 1_000

interface Fixture {
  readonly ticker: Ticker
  readonly carrier: Dialler
  readonly folder: string
}

// Every way a short call can end: a conversation, a hang-up in mid-sentence, an interruption, a failed line.
const scripts = [
  { steps: [{ say: 'Hi there.' }, { hang_up: true, after_ms: 300 }] },
  { steps: [{ while_agent_speaks: { after_ms: 100, hang_up: true } }] },
  { steps: [{ while_agent_speaks: { after_ms: 100, say: 'Wait.' } }, { hang_up: true, after_ms: 700 }] },
  { steps: [{ say: 'Yes.', after_ms: 0 }, { press: '12' }, { hang_up: true }] },
  { outcome: 'busy' },
  { outcome: 'failed' },
]

async function place({ ticker, carrier, folder }: Fixture, nth: number): Promise<CallOutcome> {
  const sessionId = `call-${nth}`
  const metadata = { sandbox: { ring_ms: 20, ...scripts[nth % scripts.length] } }
  const plan = planFor(sessionId, { agent_welcome_message: `Hello, caller ${nth}.` }, metadata)
  const session = startCall(plan, {
    ...unmeasured,
    connect: (listener) =>
      carrier.dial({ sessionId, to: '+15550100', from: null, trunkId: null, metadata }, listener),
    detector: stubDetector,
    transcriber: stubTranscriber('A table for two tonight.'),
    model: stubModel('Certainly.', atOnce, () => {}),
    synthesizer: stubVoice(atOnce, () => {}),
    recording: () => openRecording(folder, sessionId),
    onUpdate: () => {},
  })
  const ticks = ticker.add((dueMs) => session.tick(dueMs))
  const outcome = await session.done.finally(() => ticks.end())
  if (outcome.recorded) await rm(recordingPath(folder, sessionId))
  return outcome
}

/** Each lane places its next call when the previous one is over. */
async function placeAll(
  fixture: Fixture,
  from: number,
  to: number,
  ends: Map<string, number>,
): Promise<void> {
  let next = from
  const lane = async () => {
    while (next < to) {
      const { status, hangupReason, errorMessage } = await place(fixture, next++)
      const end = `${status} ${hangupReason}${errorMessage ? ` (${errorMessage})` : ''}`
      ends.set(end, (ends.get(end) ?? 0) + 1)
    }
  }
  // The ticker does not keep the process alive.
  const alive = setInterval(() => {}, 1_000)
  await Promise.all(Array.from({ length: Math.min(callsAtOnce, to - from) }, lane))
  clearInterval(alive)
}

export interface Endurance {
  readonly first: Holdings
  readonly last: Holdings
  readonly ends: ReadonlyMap<string, number>
}

export async function endure(
  calls: number,
  say: (line: string) => void,
  warmUpCalls = defaultWarmUp,
): Promise<Endurance> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-endurance-'))
  const ticker = openTicker()
  const carrier = sandboxCarrier({
    ticker,
    detector: stubDetector,
    voice: 'callee',
    noise: openAmbience,
    transcriber: stubTranscriber('Hello.'),
    synthesizer: stubVoice(atOnce, () => {}),
  })
  const fixture = { ticker, carrier, folder }
  const ends = new Map<string, number>()
  await placeAll(fixture, 0, warmUpCalls / 2, new Map())
  await holdings()
  await placeAll(fixture, warmUpCalls / 2, warmUpCalls, new Map())
  const first = await holdings()
  say(`after ${warmUpCalls} to warm up: ${show(first)}`)
  let [leastHeapMb, last] = [first.heapMb, first]
  for (let placed = 0; placed < calls; placed += sayEvery) {
    const begin = warmUpCalls + placed
    await placeAll(fixture, begin, begin + Math.min(sayEvery, calls - placed), ends)
    last = await holdings()
    leastHeapMb = Math.min(leastHeapMb, last.heapMb)
    say(`${Math.min(placed + sayEvery, calls)} calls: ${show(last)}`)
  }
  await ticker.close()
  await rm(folder, { recursive: true })
  // The lowest heap counts as the beginning: it still shrinks after the start, which would hide growth.
  return { first: { ...first, heapMb: leastHeapMb }, last, ends }
}

const show = ({ heapMb, outsideMb, rssMb, resources, files, threads }: Holdings) =>
  `heap ${heapMb.toFixed(2)} MB, outside it ${outsideMb.toFixed(2)} MB, RSS ${rssMb.toFixed(0)} MB, ` +
  `${resources.length} handles and timers, ${files} open files, ${threads} threads`

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const startedAt = Date.now()
  const { first, last, ends } = await endure(Number(process.argv[2] ?? defaultCalls), console.error)
  for (const [end, count] of ends) console.log(`${count} ${end}`)
  console.log(`${Math.round((Date.now() - startedAt) / 1000)} s in all; allowed: ${tolerance}`)
  const complaints = grown(first, last)
  for (const complaint of complaints) console.log(complaint)
  console.log(complaints.length === 0 ? 'nothing has grown' : 'something grows')
  if (complaints.length > 0) process.exitCode = 1
}
