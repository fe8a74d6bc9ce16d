// How fast a long recording is transcribed, from upload to transcript, compared with the bare engine on the same audio
// in the same run: node bench/transcription-speed.ts [minutes].
//
// The bare engine gets the pieces ready in memory, on as many threads: no upload, no decoding, no voice detection, no
// cutting, no word times, no assembly, no database.
import { availableParallelism } from 'node:os'
import { SpeechToText } from '../sdk/src/index.ts'
import { moonshine, silero, whisperBase } from '../server/src/engines/models/catalogue.ts'
import { whisperRules } from '../server/src/engines/transcription/recogniser.ts'
import { openWhisper } from '../server/src/engines/whisper/whisper.ts'
import { modelsAtHand } from '../server/test/props/engines/models-at-hand.ts'
import { bareRecogniser } from './bare-recogniser.ts'
import { clipsAbsent } from './clips.ts'
import { statOf } from './proc-stat.ts'
import { printIfMain, type Row, verdict } from './row.ts'
import { apiKey, makeHome, startService } from './service-process.ts'
import { longSound, wavOf } from './transcription-fixture.ts'

// Ours, the yardstick and the cutting before it take ten minutes on two cores.
const usualMinutes = 60
const rateHz = 16_000
const target = 0.85
const ticksPerSecond = 100

interface SpeedFigures {
  readonly seconds: number
  readonly cpuSeconds: number
}

async function measure(minutes: number): Promise<Row[]> {
  const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero, moonshine, whisperBase)
  if (absent ?? clipsAbsent) return []
  const threads = availableParallelism()
  const sound = longSound(minutes)
  const ours = await throughService(sound, folder, threads)
  const bare = await throughBareEngine(sound, folder, threads)
  const fullPiece = sound.subarray(0, (whisperRules.longestMs / 1000) * rateHz)
  return [speedRow(sound.length / rateHz, threads, { ours, bare }), await whisperRow(folder, fullPiece)]
}

async function throughService(sound: Int16Array, folder: string, threads: number): Promise<SpeedFigures> {
  const home = await makeHome()
  const env = {
    PARLEY_MODELS_DIR: folder,
    PARLEY_TRANSCRIBE_THREADS: String(threads),
    PARLEY_ROLES: 'api,speech',
  }
  const service = await startService(home, { env })
  const speech = new SpeechToText({ baseUrl: `${home.url}/v1`, apiKey })
  const transcribe = async (samples: Int16Array) => {
    const { status, error } = await speech.transcribe(new Blob([wavOf(samples)]), {
      language: 'en',
      align: true,
    })
    if (status !== 'completed') throw new Error(`the transcript is ${status}: ${error}`)
  }
  try {
    // Warms up every thread before the measurement.
    await transcribe(sound.subarray(0, 20 * rateHz * threads))
    return await timed(
      () => transcribe(sound),
      () => (statOf(service.pid)?.ticks ?? Number.NaN) / ticksPerSecond,
    )
  } finally {
    await service.stop()
    await home.remove()
  }
}

async function throughBareEngine(sound: Int16Array, folder: string, threads: number): Promise<SpeedFigures> {
  const bare = bareRecogniser(folder, threads)
  try {
    const pieces = await bare.cut(sound)
    await bare.recognise(Array.from({ length: threads }, () => sound.subarray(0, 5 * rateHz)))
    return await timed(
      () => bare.recognise(pieces),
      () => {
        const { user, system } = process.cpuUsage()
        return (user + system) / 1e6
      },
    )
  } finally {
    await bare.close()
  }
}

async function timed(work: () => Promise<void>, cpuSeconds: () => number): Promise<SpeedFigures> {
  const [begunMs, begunCpu] = [performance.now(), cpuSeconds()]
  await work()
  return { seconds: (performance.now() - begunMs) / 1000, cpuSeconds: cpuSeconds() - begunCpu }
}

function speedRow(
  soundSeconds: number,
  threads: number,
  { ours, bare }: Record<'ours' | 'bare', SpeedFigures>,
): Row {
  const said = ({ seconds, cpuSeconds }: SpeedFigures) =>
    `${seconds.toFixed(0)} s, ${(soundSeconds / seconds).toFixed(1)} × real time; ${(cpuSeconds / soundSeconds).toFixed(3)} s of one core per second of sound`
  const ratio = bare.seconds / ours.seconds
  return {
    claim: `a recording of ${(soundSeconds / 60).toFixed(0)} min, from the upload to the transcript, ${threads} threads`,
    measured: said(ours),
    yardstick: `the bare engine: ${said(bare)}`,
    ratio: ratio.toFixed(2),
    target: `≥ ${target}`,
    verdict: verdict(ratio >= target),
  }
}

/** The other languages: one full piece on one warm thread. */
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

const [, , given] = process.argv
await printIfMain(import.meta.url, () => measure(given ? Number(given) : usualMinutes))
