// Claim: a service that has transcribed a long recording gives the memory of its engines back once they are idle.
//   node bench/engine-memory.ts [minutes of sound]
import { setTimeout as sleep } from 'node:timers/promises'
import { SpeechToText } from '../sdk/src/index.ts'
import { moonshine, silero, whisperBase, xvector } from '../server/src/engines/models/catalogue.ts'
import { clipsAbsent } from '../server/test/props/engines/clips.ts'
import { modelsAtHand } from '../server/test/props/engines/models-at-hand.ts'
import { memoryOf } from './memory.ts'
import { printIfMain, type Row, verdict } from './row.ts'
import { apiKey, makeHome, startService } from './service-process.ts'
import { longSound, wavOf } from './transcription-fixture.ts'

const usualMinutes = 10
// Short, so that the measurement does not wait for the default of ten minutes.
const idleSeconds = 6
// Long enough for the timer, the end of the threads and the next collection of garbage.
const settleSeconds = 20
const sampleMs = 250
// This share of what the engines took may stay: heaps and allocators keep some of what they once had.
const mostKept = 0.25

async function measure(minutes: number): Promise<Row[]> {
  const models = [silero, moonshine, whisperBase, xvector]
  const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, ...models)
  if (absent ?? clipsAbsent) return []
  const sound = wavOf(longSound(minutes))
  const released = await transcribed(sound, folder, idleSeconds)
  const kept = await transcribed(sound, folder, 0)
  const share = (released.afterMb - released.beforeMb) / (released.peakMb - released.beforeMb)
  return [
    {
      claim: `memory (PSS) of the service around a recording of ${minutes} min, engines idle for ${idleSeconds} s`,
      measured: said(released),
      yardstick: `engines kept for good: ${said(kept)}`,
      ratio: `${share.toFixed(2)} of the growth stays`,
      target: `≤ ${mostKept}`,
      verdict: verdict(share <= mostKept),
    },
  ]
}

interface MemoryFigures {
  readonly beforeMb: number
  readonly peakMb: number
  readonly afterMb: number
}

const said = ({ beforeMb, peakMb, afterMb }: MemoryFigures) =>
  `${beforeMb.toFixed(0)} MB before, ${peakMb.toFixed(0)} MB at the peak, ${afterMb.toFixed(0)} MB after`

async function transcribed(
  sound: Uint8Array<ArrayBuffer>,
  folder: string,
  idle: number,
): Promise<MemoryFigures> {
  const home = await makeHome()
  const env = {
    PARLEY_MODELS_DIR: folder,
    PARLEY_ROLES: 'api,speech',
    PARLEY_ENGINE_IDLE_MINUTES: (idle / 60).toFixed(3),
  }
  const service = await startService(home, { env })
  const speech = new SpeechToText({ baseUrl: `${home.url}/v1`, apiKey })
  const pssMb = () => memoryOf([service.pid]).pssMb
  try {
    await sleep(5_000)
    const beforeMb = pssMb()
    let peakMb = beforeMb
    const watching = setInterval(() => {
      peakMb = Math.max(peakMb, pssMb())
    }, sampleMs)
    // No language: whisper finds it, Moonshine hears the words, and the speakers are told apart.
    const { status, error } = await speech.transcribe(new Blob([sound]), { align: true, diarize: true })
    clearInterval(watching)
    if (status !== 'completed') throw new Error(`the transcript is ${status}: ${error}`)
    await sleep((idleSeconds + settleSeconds) * 1000)
    return { beforeMb, peakMb, afterMb: pssMb() }
  } finally {
    await service.stop()
    await home.remove()
  }
}

const [, , given] = process.argv
await printIfMain(import.meta.url, () => measure(given ? Number(given) : usualMinutes))
