// How fast a long recording is transcribed, start to end, against the bare engine on the same sound in the same run:
// node bench/speech-speed.ts [minutes].
//
// The bare engine gets the pieces ready in memory, on as many threads: no reading, no voice detector, no cutting, no
// times of words, no putting together.
import { availableParallelism } from 'node:os'
import { EnginePool } from '../server/src/adapters/embedded/engine/engine-pool.ts'
import { floats } from '../server/src/adapters/embedded/features/floats.ts'
import { moonshine, silero } from '../server/src/adapters/embedded/models/catalogue.ts'
import { fetchModel } from '../server/src/adapters/embedded/models/fetch-model.ts'
import { whisperBase } from '../server/src/adapters/embedded/models/whisper.ts'
import type { MoonshinePaths, Segment } from '../server/src/adapters/embedded/moonshine/moonshine-model.ts'
import { sileroTracker } from '../server/src/adapters/embedded/silero/voice-track.ts'
import { openWhisper } from '../server/src/adapters/embedded/whisper/whisper.ts'
import { filePieces } from '../server/src/adapters/speech/file-pieces.ts'
import { inOrder } from '../server/src/adapters/speech/in-order.ts'
import { moonshineRules, whisperRules } from '../server/src/adapters/speech/recogniser.ts'
import { alternate, median, type Sample, spread } from './rounds.ts'
import { printIfMain, type Row, verdict } from './row.ts'
import { openSpeechStage, strungTogether } from './speech-stage.ts'

// Twice by turns takes about three minutes on two cores.
const usualMinutes = 6
const rounds = 2
const gapMs = 400
const rateHz = 16_000
const target = 0.85

interface Measured {
  readonly minutes: number
  readonly threads: number
  /** Seconds of sound per second. */
  readonly samples: readonly Sample[]
  /** Seconds of one core per second of sound. */
  readonly cpu: Readonly<Record<'ours' | 'bare', readonly number[]>>
}

async function measure(minutes = usualMinutes): Promise<Row[]> {
  const threads = availableParallelism()
  const stage = await openSpeechStage([silero, moonshine, whisperBase], { threads })
  if (!stage) return []
  const { folder } = stage
  const clips = stage.clips.map(({ samples }) => samples)
  const sound = longSound(clips, minutes)
  const soundSeconds = sound.length / rateHz
  const pieces = await cut(sound, folder)
  const bare = bareEngine(folder, threads)
  const cpu: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] }
  const timed = async (whose: 'ours' | 'bare', work: () => Promise<unknown>) => {
    const [begunMs, begunCpu] = [performance.now(), process.cpuUsage()]
    await work()
    const { user, system } = process.cpuUsage(begunCpu)
    cpu[whose].push((user + system) / 1e6 / soundSeconds)
    return soundSeconds / ((performance.now() - begunMs) / 1000)
  }
  const recogniseAll = async () => {
    const work = (piece: Int16Array) => bare.ask(() => floats(piece))
    for await (const _ of inOrder(oneByOne(pieces), work, { ahead: threads + 2 }));
  }
  // Both are awake before the clock runs.
  await stage.transcribe(sound.subarray(0, 20 * rateHz * threads))
  await Promise.all(
    Array.from({ length: threads }, () => bare.ask(() => floats(sound.subarray(0, 5 * rateHz)))),
  )
  const samples = await alternate(
    minutes > usualMinutes ? 1 : rounds,
    () => timed('ours', () => stage.transcribe(sound)),
    () => timed('bare', recogniseAll),
  )
  await bare.close()
  await stage.close()
  const fullPiece = sound.subarray(0, (whisperRules.longestMs / 1000) * rateHz)
  return [
    speedRow({ minutes: soundSeconds / 60, threads, samples, cpu }),
    await whisperRow(folder, fullPiece),
  ]
}

function speedRow({ minutes, threads, samples, cpu }: Measured): Row {
  const times = (value: number) => `${value.toFixed(1)} ×`
  const ours = samples.map((sample) => sample.ours)
  const bare = samples.map((sample) => sample.yardstick)
  const ratio = median(samples.map((sample) => sample.ours / sample.yardstick))
  return {
    claim: `a recording of ${minutes.toFixed(0)} min, start to end, ${threads} threads`,
    measured: `${spread(ours, times)} real time; ${median(cpu.ours).toFixed(3)} s of one core per second of sound`,
    yardstick: `the bare engine: ${spread(bare, times)}; ${median(cpu.bare).toFixed(3)} s`,
    ratio: ratio.toFixed(2),
    target: `≥ ${target}`,
    verdict: verdict(ratio >= target),
  }
}

/** The other languages: one full piece, on one thread that is awake. */
async function whisperRow(folder: string, piece: Int16Array): Promise<Row> {
  const whisper = openWhisper({ folder, size: 'base', threads: 1 })
  const { signal } = new AbortController()
  await whisper.languages(piece, signal)
  const begunMs = performance.now()
  await whisper.recognise(piece, 'en', signal)
  const share = (performance.now() - begunMs) / 1000 / (piece.length / rateHz)
  await whisper.close()
  return {
    claim: 'whisper base, for other languages: one full piece on one thread',
    measured: `${share.toFixed(3)} s per second of sound`,
    yardstick: 'none',
    ratio: '–',
    target: 'none',
    verdict: 'no target',
  }
}

function longSound(sounds: readonly Int16Array[], minutes: number): Int16Array {
  const once = strungTogether(sounds, gapMs)
  const times = Math.max(1, Math.round((minutes * 60 * rateHz) / once.length))
  return strungTogether(
    Array.from({ length: times }, () => once),
    0,
  )
}

/** The engine of calls, but as gentle as that of recordings: whatever else runs falls on both alike. */
const bareEngine = (folder: string, threads: number) =>
  new EnginePool<MoonshinePaths, Segment, string>({
    name: 'the bare engine',
    file: new URL('../server/src/adapters/embedded/moonshine/moonshine-worker.ts', import.meta.url),
    prepare: () => fetchModel(moonshine, { folder }),
    threads,
    queueLength: Number.POSITIVE_INFINITY,
    gentle: true,
  })

async function* oneByOne<T>(things: readonly T[]): AsyncGenerator<T> {
  yield* things
}

/** The same cuts as ours, made before the clock runs. */
async function cut(sound: Int16Array, folder: string): Promise<Int16Array[]> {
  const tracker = sileroTracker({ folder })
  const file = {
    durationMs: sound.length / 16,
    read: async (fromMs: number, toMs: number) =>
      Int16Array.from(sound.subarray(Math.round(fromMs * 16), Math.round(toMs * 16))),
    async close() {},
  }
  const { signal } = new AbortController()
  const pieces: Int16Array[] = []
  for await (const { fromMs, toMs } of filePieces(file, { tracker, rules: moonshineRules, signal }))
    pieces.push(await file.read(fromMs, toMs))
  await tracker.close()
  return pieces
}

const [, , given] = process.argv
await printIfMain(import.meta.url, () => measure(given ? Number(given) : usualMinutes))
