// Claims: the cost of a frame, of the boundaries that one call's faults do not cross, and how evenly frames leave: 200 calls, p99 of the deviation from 20 ms at most 5 ms.
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import { contain } from '../server/src/call/contain.ts'
import { DtmfDetector } from '../server/src/media/dtmf-detector.ts'
import { type RateHz, rates, samplesPerFrame } from '../server/src/media/frame.ts'
import { decodeG711, encodeG711, type Law } from '../server/src/media/g711.ts'
import { JitterBuffer } from '../server/src/media/jitter.ts'
import { LevelMeter } from '../server/src/media/level.ts'
import { Ducker, mixInto } from '../server/src/media/mix.ts'
import { Resampler } from '../server/src/media/resample.ts'
import { median, spread } from './rounds.ts'
import { printIfMain, type Row, verdict } from './row.ts'
import { type Gaps, gapsInThread, gapsOf, type Source } from './ticker-gaps.ts'

const rounds = 5
const framesPerRound = 2_000
// The JIT runs in parallel and may have to wait for a core.
const warmUpFrames = 6_000
const gapTargetMs = 5
const gapRounds = 3
const gapsForMs = 2_000
// A thread that is busy for 12 of every 30 ms: longer than half a frame at a time.
const busyMs = 12
const busyEveryMs = 30

async function measure(): Promise<Row[]> {
  return [...costs(), ...boundaries(), ...(await evenness())]
}

/** A speech-like frame at the given rate. */
const voice = (rateHz: RateHz) =>
  Int16Array.from(
    { length: samplesPerFrame(rateHz) },
    (_, i) => 9_000 * Math.sin((i * 1_900) / rateHz) + ((i * 7_919) % 601),
  )

function costs(): Row[] {
  const frame = voice(8_000)
  const heard = voice(8_000)
  const bytes = new Uint8Array(frame.length)
  const copy = new Int16Array(frame.length)
  const bareUs = microseconds(() => {
    for (let i = 0; i < copy.length; i++) copy[i] = frame[i] as number
  })
  const row = (what: string, run: (i: number) => void) => costRow(what, microseconds(run), bareUs)
  const meter = new LevelMeter()
  const ducker = new Ducker(8_000)
  const detector = new DtmfDetector(8_000, () => {})
  const jitter = new JitterBuffer(8_000)
  return [
    ...(['mu', 'a'] as Law[]).flatMap((law) => [
      row(`G.711 ${law}-law, encode`, () => encodeG711(law, frame, bytes)),
      row(`G.711 ${law}-law, decode`, () => decodeG711(law, bytes, heard)),
    ]),
    ...rates.flatMap((fromHz) =>
      rates
        .filter((toHz) => toHz !== fromHz)
        .map((toHz) => {
          const resampler = new Resampler(fromHz, toHz)
          const [input, output] = [voice(fromHz), new Int16Array(samplesPerFrame(toHz))]
          return row(`resample ${fromHz / 1000} → ${toHz / 1000} kHz`, () => resampler.run(input, output))
        }),
    ),
    row('mix two', () => mixInto(heard, frame)),
    row('duck', (i) => ducker.run(heard, i % 100 < 50)),
    row('level', () => meter.add(frame)),
    row('listen for keys', () => detector.push(frame)),
    row('jitter buffer, in and out', (i) => {
      jitter.put(i & 0xffff, i * 160, frame, i * 20)
      jitter.take(heard, i * 20 + 3)
    }),
  ]
}

/** A port that does nothing, called directly and through the boundary; a tick that does nothing, in the scope of its call. */
function boundaries(): Row[] {
  const frame = { rateHz: 8_000, samples: voice(8_000) }
  class Line {
    sent = 0
    send({ samples }: typeof frame): void {
      this.sent += samples.length
    }
  }
  const line = new Line()
  const contained = contain(new Line(), () => {})
  // As main/media/serve-calls.ts does.
  const scope = new AsyncLocalStorage<string>().run('one call', () => new AsyncResource('call'))
  const tick = (dueMs: number) => {
    line.sent += dueMs
  }
  const row = (what: string, run: (i: number) => void, bare: (i: number) => void): Row => {
    const bareNs = nanoseconds(bare)
    const ns = nanoseconds(run)
    return {
      claim: `what one call's faults do not cross: ${what}`,
      measured: spread(ns, (value) => `${value.toFixed(0)} ns`),
      yardstick: `called directly: ${median(bareNs).toFixed(0)} ns`,
      ratio: '–',
      target: 'none',
      verdict: 'no target',
    }
  }
  return [
    row(
      'a frame to a port',
      () => contained.send(frame),
      () => line.send(frame),
    ),
    row('a tick', (i) => scope.runInAsyncScope(tick, undefined, i), tick),
  ]
}

// One call takes less than the clock can tell.
const callsPerRun = 100
const nanoseconds = (run: (i: number) => void): number[] =>
  microseconds((i) => {
    for (let n = 0; n < callsPerRun; n++) run(i)
  }).map((us) => (us * 1_000) / callsPerRun)

function microseconds(run: (i: number) => void): number[] {
  let i = 0
  for (; i < warmUpFrames; i++) run(i)
  return Array.from({ length: rounds }, () => {
    const fromMs = performance.now()
    for (const end = i + framesPerRound; i < end; i++) run(i)
    return ((performance.now() - fromMs) * 1000) / framesPerRound
  })
}

const costRow = (what: string, us: readonly number[], bareUs: readonly number[]): Row => ({
  claim: `a frame of 20 ms: ${what}`,
  measured: spread(us, (value) => `${value.toFixed(2)} µs`),
  yardstick: `a copy of 160 samples: ${median(bareUs).toFixed(2)} µs`,
  ratio: (median(us) / median(bareUs)).toFixed(1),
  target: 'none',
  verdict: 'no target',
})

async function evenness(): Promise<Row[]> {
  const idle = await byTurns((source) => gapsOf(source, gapsForMs))
  const stop = keepBusy()
  const busy = await byTurns((source) => gapsOf(source, gapsForMs))
  const beside = await byTurns((source) => gapsInThread(source, gapsForMs))
  stop()
  return [
    gapRow('200 calls on an idle thread', idle, true),
    gapRow(`200 calls on a thread that is busy ${busyMs} of every ${busyEveryMs} ms`, busy, false),
    gapRow('200 calls on a thread of their own beside that busy one', beside, true),
  ]
}

function keepBusy(): () => void {
  const timer = setInterval(() => {
    const untilMs = performance.now() + busyMs
    while (performance.now() < untilMs);
  }, busyEveryMs)
  return () => clearInterval(timer)
}

async function byTurns(gaps: (source: Source) => Promise<Gaps>) {
  const found: Record<Source, Gaps[]> = { ticker: [], setInterval: [] }
  for (let round = 0; round < gapRounds; round++)
    for (const source of ['ticker', 'setInterval'] as const) found[source].push(await gaps(source))
  return found
}

function gapRow(what: string, found: Record<Source, Gaps[]>, hasTarget: boolean): Row {
  const p99s = (source: Source) => found[source].map(({ p99Ms }) => p99Ms)
  const show = (source: Source) =>
    `${spread(p99s(source), (ms) => `${ms.toFixed(2)} ms`)}, ${(100 * median(found[source].map(({ share }) => share))).toFixed(1)} % of the frames`
  return {
    claim: `frames leave evenly, p99 of the difference from 20 ms: ${what}`,
    measured: show('ticker'),
    yardstick: `bare setInterval(20): ${show('setInterval')}`,
    ratio: (median(p99s('ticker')) / median(p99s('setInterval'))).toFixed(2),
    target: hasTarget ? `≤ ${gapTargetMs} ms` : 'none',
    verdict: hasTarget ? judge(median(p99s('ticker')), median(p99s('setInterval'))) : 'no target',
  }
}

/** Where a bare timer misses by more than the target, the machine was not ours. */
const judge = (ms: number, bareMs: number): Row['verdict'] =>
  ms <= gapTargetMs || bareMs <= gapTargetMs ? verdict(ms <= gapTargetMs) : 'too noisy to say'

await printIfMain(import.meta.url, measure)
