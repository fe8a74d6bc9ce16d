// A call over the sandbox, ticked by hand: engines in memory, real frames.
import { setImmediate as soon } from 'node:timers/promises'
import { type SandboxOptions, sandboxCarrier } from '../../../src/carriers/sandbox/sandbox.ts'
import { type Frame, frameMs, makeFrame, silence } from '../../../src/media/frame.ts'
import { levelDb } from '../../../src/media/level.ts'
import type { LineEvent } from '../../../src/ports/line.ts'
import type { TextSynthesizer } from '../../../src/ports/synthesizer.ts'
import type { Transcriber } from '../../../src/ports/transcriber.ts'
import type { VoiceDetector } from '../../../src/ports/voice-detector.ts'

export const rateHz = 8_000

export const hum = (peak: number): Frame => {
  const frame = makeFrame(rateHz)
  for (let i = 0; i < frame.samples.length; i++) frame.samples[i] = peak * Math.sin(i / 3)
  return frame
}
export const speech = hum(8_000)

/** One frame per letter. */
const synthesizer: TextSynthesizer = {
  async *synthesize(text) {
    for (const _ of text) yield hum(4_000)
  },
}

/** Everything loud is speech. */
const detector: VoiceDetector = {
  open(_, onEvent) {
    let speaking = false
    let atMs = 0
    return {
      write({ samples }) {
        atMs += frameMs
        const loud = levelDb(samples) > -40
        if (loud !== speaking) onEvent({ type: loud ? 'speech-start' : 'speech-end', atMs })
        speaking = loud
      },
      close() {},
    }
  },
  close: async () => {},
}

const transcriber: Transcriber = {
  abilities: { keyterms: false, languages: ['en'] },
  open: (_, signal) => ({
    write() {},
    finish() {},
    async *[Symbol.asyncIterator]() {
      await new Promise((done) => signal.addEventListener('abort', done))
    },
  }),
}

export const memoryEngines = {
  synthesizer,
  transcriber,
  detector,
  voice: 'fenrir',
  noise: async () => () => silence(rateHz),
}

/** A ticker with one subscriber, ticked by the test. */
export function manualTicker() {
  let onTick: ((dueMs: number) => void) | undefined
  return {
    add(subscriber: (dueMs: number) => void) {
      onTick = subscriber
      return {
        end() {
          onTick = undefined
        },
      }
    },
    tick: (nowMs: number) => onTick?.(nowMs),
    get isTicking() {
      return onTick !== undefined
    },
  }
}

/** A line and everything received over it; `run` ticks while the agent sends the given frames. */
export function dialSandbox(to: string, sandbox?: unknown, more: Partial<SandboxOptions> = {}) {
  const events: (LineEvent & { readonly atMs: number })[] = []
  const levels: number[] = []
  const frames: Int16Array[] = []
  const ticker = manualTicker()
  let nowMs = 0
  const line = sandboxCarrier({ ...memoryEngines, ticker, ...more }).dial(
    { sessionId: 's', to, from: null, trunkId: null, metadata: { sandbox } },
    {
      onEvent: (event) => events.push({ ...event, atMs: nowMs }),
      onFrame({ samples }) {
        levels.push(Math.round(levelDb(samples)))
        frames.push(samples.slice())
      },
    },
  )
  return {
    line,
    events,
    levels,
    frames,
    ticking: () => ticker.isTicking,
    async run(forMs: number, sent: Frame = silence(rateHz)) {
      for (let ms = 0; ms < forMs; ms += frameMs) {
        nowMs += frameMs
        ticker.tick(nowMs)
        line.send(sent)
        await soon()
      }
    },
    types: () => events.map((event) => (event.type === 'ended' ? event.cause : event.type)),
  }
}

export const loudFrames = (levels: readonly number[]) => levels.filter((level) => level > -40).length
