// Engines that compute nothing and take a known time, so that the rest of a call's cost is ours.
import { setTimeout as sleep } from 'node:timers/promises'
import { TranscriptQueue } from '../server/src/engines/utterances/segment-transcriber.ts'
import { type Frame, frameMs, makeFrame, type RateHz } from '../server/src/media/frame.ts'
import { overClauses } from '../server/src/ports/clause-stream.ts'
import type { LanguageModel } from '../server/src/ports/language-model.ts'
import type { Synthesizer, TextSynthesizer } from '../server/src/ports/synthesizer.ts'
import type { Transcriber } from '../server/src/ports/transcriber.ts'
import type { VoiceDetector } from '../server/src/ports/voice-detector.ts'

/** Reports work that was requested at the first time and due at the second, on performance.now(). */
export type Work = (fromMs: number, toMs: number) => void

/** The duration of each answer. */
export type Takes = () => number

export const atOnce: Takes = () => 0
export const between =
  (leastMs: number, mostMs: number): Takes =>
  () =>
    leastMs + Math.random() * (mostMs - leastMs)

async function work(takes: Takes, onWork: Work, signal: AbortSignal): Promise<void> {
  const fromMs = performance.now()
  const tookMs = takes()
  onWork(fromMs, fromMs + tookMs)
  // An aborted sleep has no waiter left.
  if (tookMs > 0) await sleep(tookMs, undefined, { signal }).catch(() => {})
}

// Like Silero: detects a voice after two windows, its end after three.
const framesToStart = 3
const framesToEnd = 5

/** Any non-zero sample is voice. */
export const stubDetector: VoiceDetector = {
  open(_rateHz, onEvent) {
    let [heardMs, run, speaking] = [0, 0, false]
    return {
      write({ samples }) {
        heardMs += frameMs
        run = (samples[0] !== 0) === speaking ? 0 : run + 1
        if (run < (speaking ? framesToEnd : framesToStart)) return
        speaking = !speaking
        onEvent({ type: speaking ? 'speech-start' : 'speech-end', atMs: heardMs - run * frameMs })
        run = 0
      },
      close() {},
    }
  },
  async close() {},
}

/** Always transcribes these words, available as soon as they are requested. */
export const stubTranscriber = (words: string): Transcriber => ({
  abilities: { keyterms: false, languages: 'any' },
  open(_options, signal) {
    const events = new TranscriptQueue()
    signal.addEventListener('abort', () => events.end(), { once: true })
    return {
      write() {},
      hear({ type }) {
        if (type === 'speech-start') events.push({ type: 'speech-started' })
      },
      finalize: () => events.push({ type: 'final', text: words }),
      finish: () => events.end(),
      [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
    }
  },
})

/** One clause, so that a turn is one synthesis. */
export const stubModel = (words: string, takes: Takes, onWork: Work): LanguageModel => ({
  async *reply(_request, signal) {
    await work(takes, onWork, signal)
    if (signal.aborted) return
    yield { type: 'text', text: words }
    yield {
      type: 'usage',
      provider: 'custom',
      model: 'stub',
      isAborted: false,
      inputTokens: 10,
      outputTokens: 5,
      cachedTokens: 0,
      cacheWriteTokens: 0,
    }
  },
})

const framesPerWord = 12

/** A hum for as long as the words would take. */
export const stubVoice = (takes: Takes, onWork: Work): Synthesizer & TextSynthesizer => {
  const speech: TextSynthesizer = {
    async *synthesize(text, { rateHz }, signal) {
      await work(takes, onWork, signal)
      const frame = hum(rateHz)
      for (let left = text.split(' ').length * framesPerWord; left > 0 && !signal.aborted; left--) yield frame
    },
  }
  return { ...speech, ...overClauses(speech, 'any') }
}

/** No sample is 0. */
export function hum(rateHz: RateHz): Frame {
  const frame = makeFrame(rateHz)
  frame.samples.forEach((_, i) => {
    frame.samples[i] = 3_000 * Math.sin((i * 900) / rateHz) || 1
  })
  frame.samples[0] = 1
  return frame
}
