// Many concurrent calls in a separate process, with engines of known latency; reports one line of JSON.
//   node bench/call-load-process.ts '<Load as JSON>'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startCall } from '../server/src/call/session.ts'
import { frameMs } from '../server/src/media/frame.ts'
import { openTicker, type Ticker } from '../server/src/platform/clock/ticker.ts'
import { openTraces } from '../server/src/platform/telemetry/traces.ts'
import { callSpans, type TimedOutcome } from '../server/src/resources/calls/record/call-spans.ts'
import { openRecording } from '../server/src/resources/calls/recordings/recording-file.ts'
import { hears as deepgramStt } from '../server/src/vendors/deepgram/hears.ts'
import { speaks as deepgramTts } from '../server/src/vendors/deepgram/speaks.ts'
import type { Load, LoadReport } from './call-load.ts'
import { planFor, unmeasured } from './call-plan.ts'
import { atOnce, between, hum, stubDetector, stubModel, stubTranscriber, stubVoice } from './stub-engines.ts'
import { TalkingLine } from './talking-line.ts'
import { TurnClock } from './turn-overhead.ts'

const load = JSON.parse(process.argv[2] ?? '') as Load
const folder = await mkdtemp(join(tmpdir(), 'parley-load-'))
const ticker = openTicker()
const gapErrorsMs: number[] = []
const turns: LoadReport['turns'] = []
const ended: TimedOutcome[] = []
let measuring = false

/** Records the gaps between the frames of one call. */
function gapMeter(): (atMs: number) => void {
  let lastMs = Number.NaN
  return (atMs) => {
    if (measuring) gapErrorsMs.push(Math.abs(atMs - lastMs - frameMs))
    lastMs = atMs
  }
}

/** Baseline: the same clock and a frame per call, without calls. */
function sendBare(on: Ticker): () => void {
  const note = gapMeter()
  const { samples } = hum(8_000)
  const ear = new Int16Array(samples.length)
  const ticks = on.add(() => {
    ear.set(samples)
    note(performance.now())
  })
  return () => ticks.end()
}

function runCall(on: Ticker, place: number): () => Promise<unknown> {
  const note = gapMeter()
  const clock = new TurnClock((turn) => void (measuring && turns.push(turn)))
  const onWork = (fromMs: number, toMs: number) => clock.worked(fromMs, toMs)
  const [modelTakes, voiceTakes] =
    load.engines === 'slow' ? [between(200, 600), between(50, 150)] : [atOnce, atOnce]
  const transcriber = vendor?.ears() ?? stubTranscriber('I would like a table for two tonight.')
  const synthesizer = vendor?.voice() ?? stubVoice(voiceTakes, onWork)
  const plan = planFor(randomUUID(), agent)
  const startedMs = Date.now()
  const session = startCall(plan, {
    ...unmeasured,
    connect: (listener) =>
      new TalkingLine(on, listener, {
        onSent(atMs, audible) {
          note(atMs)
          clock.sent(atMs, audible)
        },
      }),
    detector: stubDetector,
    transcriber,
    model: stubModel('Certainly that is booked for you now.', modelTakes, onWork),
    synthesizer,
    recording: () => openRecording(folder, `load-${place}`),
    onUpdate: (update) =>
      void (update.type === 'transcript' && update.entry.role === 'user' && clock.decided()),
  })
  const ticks = on.add((dueMs) => {
    clock.dueMs = dueMs
    session.tick(dueMs)
  })
  void session.done.then((outcome) => ended.push({ plan, outcome, startedMs, endedMs: Date.now() }))
  return () => {
    session.stop('api')
    return session.done.finally(() => {
      ticks.end()
      transcriber.close?.()
      synthesizer.close?.()
    })
  }
}

const account = { credentials: { apiKey: 'bench' }, baseUrl: load.vendorUrl }
const vendor = load.vendorUrl
  ? { ears: () => deepgramStt.open(account), voice: () => deepgramTts.open(account) }
  : undefined

/** Sends the traces of the calls that have ended. */
async function trace(times = 1): Promise<void> {
  const calls = ended.splice(0)
  if (!load.tracesTo) return
  for (let time = 0; time < times; time++) {
    const traces = openTraces({ endpoint: load.tracesTo, headers: {}, share: 1, resource: {} })
    for (const span of calls.flatMap(callSpans)) traces.record(span)
    await traces.close()
  }
}

// Before the measurement, this many traces are sent: in a process that has run for a while all code is compiled.
const earlyTraces = 20

const agent = {
  agent_welcome_message: 'Hello, how can I help?',
  task_config: { optimize_latency: load.ahead },
}

const stops = Array.from({ length: load.calls }, (_, place) =>
  load.of === 'calls' ? runCall(ticker, place) : sendBare(ticker),
)
const early = Array.from({ length: load.earlyCalls ?? 0 }, (_, nth) => runCall(ticker, load.calls + nth))
await sleep(load.warmUpMs)
await Promise.all(early.map((stop) => stop()))
await trace(earlyTraces)
measuring = true
const [fromMs, cpuBefore] = [performance.now(), process.cpuUsage()]
await sleep(load.forMs)
measuring = false
const tookMs = performance.now() - fromMs
const { user, system } = process.cpuUsage(cpuBefore)
await Promise.all(stops.map((stop) => stop()))
const untraced = process.cpuUsage(cpuBefore)
await trace()
const whole = process.cpuUsage(cpuBefore)
await ticker.close()
await rm(folder, { recursive: true })

const report: LoadReport = {
  gapErrorsMs: gapErrorsMs.sort((a, b) => a - b).filter((_, place) => place % load.everyGap === 0),
  framesShare: gapErrorsMs.length / ((tookMs / frameMs) * load.calls),
  cpuShare: (user + system) / 1_000 / tookMs,
  cpuMsPerCall: (whole.user + whole.system) / 1_000 / load.calls,
  tracingMsPerCall: (whole.user + whole.system - untraced.user - untraced.system) / 1_000 / load.calls,
  turns,
}
console.log(JSON.stringify(report))
