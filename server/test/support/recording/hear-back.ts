// One channel of a recording, processed by the engines: where there is speech, and which words.
import type { MoonshineTranscriber } from '../../../src/engines/moonshine/moonshine.ts'
import { sileroWindowMs } from '../../../src/engines/silero/silero-windows.ts'
import { frameMs, type RateHz } from '../../../src/media/frame.ts'
import type { VoiceDetector } from '../../../src/ports/voice-detector.ts'
import { framesOf, resampled } from '../../props/engines/clips.ts'
import type { Interval } from './recording.ts'

// A pause inside a sentence.
const joinMs = 500
// Fewer than the detector queues, so that it drops nothing.
const aheadMs = 100
// The transcriber needs a little silence on both sides.
const marginMs = 200

export async function voiceIntervals(
  detector: VoiceDetector,
  samples: Int16Array,
  rateHz: RateHz,
): Promise<Interval[]> {
  const found: { fromMs: number; toMs: number }[] = []
  const totalMs = (samples.length * 1000) / rateHz
  let heardMs = 0
  let wake = () => {}
  const { promise: broken, reject } = Promise.withResolvers<never>()
  const stream = detector.open(rateHz, (event) => {
    if (event.type === 'failed') return reject(new Error(event.reason))
    heardMs = Math.max(heardMs, event.atMs)
    const last = found.at(-1)
    if (event.type === 'speech-start') {
      if (last && event.atMs - last.toMs <= joinMs) last.toMs = totalMs
      else found.push({ fromMs: event.atMs, toMs: totalMs })
    }
    if (event.type === 'speech-end' && last) last.toMs = event.atMs
    wake()
  })
  const until = async (ms: number) => {
    while (heardMs < ms)
      await Promise.race([
        broken,
        new Promise<void>((done) => {
          wake = done
        }),
      ])
  }
  for (const [place, frame] of framesOf(samples, rateHz).entries()) {
    stream.write(frame)
    await until(place * frameMs - aheadMs)
  }
  // Waits for the last whole window, so that the end of speech in it is not missed.
  await until(Math.floor(totalMs / sileroWindowMs) * sileroWindowMs)
  stream.close()
  return found
}

export interface SpokenInterval extends Interval {
  readonly text: string
}

export async function wordsIn(
  transcriber: MoonshineTranscriber,
  intervals: readonly Interval[],
  samples: Int16Array,
  rateHz: RateHz,
): Promise<SpokenInterval[]> {
  const wide = resampled(samples, rateHz, 16_000)
  const spoken: SpokenInterval[] = []
  for (const { fromMs, toMs } of intervals) {
    const piece = wide.slice(Math.max(0, fromMs - marginMs) * 16, (toMs + marginMs) * 16)
    spoken.push({ fromMs, toMs, text: (await transcriber.transcribe(piece)).text })
  }
  return spoken
}
