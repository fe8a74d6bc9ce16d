// Voice activity with Silero v5: one thread for all calls, one inference for all waiting windows.
import { type RateHz, samplesPerFrame } from '../../media/frame.ts'
import { Resampler } from '../../media/resample.ts'
import type { VoiceDetector, VoiceEvent, VoiceStream } from '../../ports/voice-detector.ts'
import { type EngineIdle, EnginePool } from '../engine/engine-pool.ts'
import { silero as model } from '../models/catalogue.ts'
import { fetchModel, type ModelCache } from '../models/fetch-model.ts'
import {
  type Batch,
  type Probabilities,
  type SileroRateHz,
  SpeechEdges,
  sileroWindowMs,
  windowSamples,
} from './silero-windows.ts'
import type { SileroPaths } from './silero-worker.ts'

// Beyond this a larger batch saves nothing per window, and delays the first for the last.
const batchLimit = 32

const sileroRates = [8_000, 16_000] as const

interface Member {
  readonly id: number
  readonly rateHz: SileroRateHz
  readonly queue: WindowQueue
  readonly edges: SpeechEdges
  readonly onEvent: (event: VoiceEvent) => void
}

export interface SileroDetector extends VoiceDetector {
  /** Loads the engine before the first frame. Rejects if it cannot be loaded. */
  load(): Promise<void>
}

export function sileroDetector({ idleMs, ...cache }: ModelCache & EngineIdle): SileroDetector {
  const pool = new EnginePool<SileroPaths, Batch, Probabilities>({
    name: 'the voice detector',
    file: new URL('./silero-worker.ts', import.meta.url),
    // A stream's recurrent state lives in its thread, so there is only one.
    threads: 1,
    prepare: (signal) => fetchModel(model, { ...cache, signal }),
    idleMs,
    // A batch per rate; what cannot go yet waits in its stream's own queue.
    queueLength: sileroRates.length,
    moved: ({ windows }) => [windows.buffer],
  })
  const members = new Map<number, Member>()
  const asking = new Set<SileroRateHz>()
  let gone: number[] = []
  let nextId = 0

  /** While one batch is running the next one fills: the busier the machine, the larger the batches. */
  async function send(rateHz: SileroRateHz): Promise<void> {
    if (asking.has(rateHz)) return
    const due = dueMembers(members, rateHz)
    if (due.length === 0) return
    asking.add(rateHz)
    const size = windowSamples(rateHz)
    const windows = new Float32Array(due.length * size)
    const endsMs = due.map((member, place) => member.queue.take(windows, place * size))
    const batch = { rateHz, streams: due.map(({ id }) => id), windows, gone }
    gone = []
    try {
      const probabilities = await pool.ask(() => batch)
      due.forEach((member, place) => {
        if (members.has(member.id)) tell(member, probabilities[place] ?? 0, endsMs[place] ?? 0)
      })
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error))
    }
    asking.delete(rateHz)
    void send(rateHz)
  }

  function fail(reason: string): void {
    const failed = [...members.values()]
    members.clear()
    for (const { onEvent } of failed) onEvent({ type: 'failed', reason })
  }

  return {
    open(rateHz, onEvent): VoiceStream {
      const id = nextId++
      const heardHz = rateHz === 8_000 ? 8_000 : 16_000
      const queue = new WindowQueue(heardHz)
      members.set(id, { id, rateHz: heardHz, queue, edges: new SpeechEdges(), onEvent })
      const hear = rateHz === heardHz ? (samples: Int16Array) => queue.push(samples) : through(rateHz, queue)
      return {
        write({ samples }) {
          if (!members.has(id)) return
          hear(samples)
          if (queue.waiting > 0) void send(heardHz)
        },
        close() {
          members.delete(id)
          gone.push(id)
        },
      }
    },
    load: () => pool.load(),
    async close() {
      await pool.close()
      fail('the voice detector is closed')
    },
  }
}

/** The members to serve, up to the limit and least recently served first: a served member moves to the end of the map. */
function dueMembers(members: Map<number, Member>, rateHz: SileroRateHz): Member[] {
  const due: Member[] = []
  for (const member of members.values()) {
    if (member.rateHz === rateHz && member.queue.waiting > 0) due.push(member)
    if (due.length === batchLimit) break
  }
  for (const member of due) {
    members.delete(member.id)
    members.set(member.id, member)
  }
  return due
}

function tell({ edges, onEvent }: Member, probability: number, atMs: number): void {
  onEvent({ type: 'probability', probability, atMs })
  const edge = edges.hear(probability, atMs)
  if (edge) onEvent(edge)
}

/** Resamples other rates to 16 kHz. */
function through(rateHz: RateHz, queue: WindowQueue): (samples: Int16Array) => void {
  const resampler = new Resampler(rateHz, 16_000)
  const thinned = new Int16Array(samplesPerFrame(16_000))
  return (samples) => {
    resampler.run(samples, thinned)
    queue.push(thinned)
  }
}

// About 250 ms: older audio no longer affects any decision.
const queueWindows = 8

/** Windows of one stream that wait for the detector; when full, the oldest is dropped. */
class WindowQueue {
  readonly #samples: Float32Array
  readonly #size: number
  #first = 0
  #waiting = 0
  #filled = 0
  /** Windows taken or dropped so far: the position of the next one in the audio. */
  #passed = 0
  dropped = 0

  constructor(rateHz: SileroRateHz) {
    this.#size = windowSamples(rateHz)
    // There is one window more, for the one being filled.
    this.#samples = new Float32Array((queueWindows + 1) * this.#size)
  }

  get waiting(): number {
    return this.#waiting
  }

  push(samples: Int16Array): void {
    for (let i = 0; i < samples.length; i++) {
      const slot = (this.#first + this.#waiting) % (queueWindows + 1)
      this.#samples[slot * this.#size + this.#filled] = (samples[i] as number) / 32_768
      if (++this.#filled === this.#size) this.#complete()
    }
  }

  /** Copies the oldest window into a batch; returns where it ends in the audio. */
  take(into: Float32Array, at: number): number {
    into.set(this.#samples.subarray(this.#first * this.#size, (this.#first + 1) * this.#size), at)
    this.#forget()
    return this.#passed * sileroWindowMs
  }

  #complete(): void {
    this.#filled = 0
    this.#waiting++
    if (this.#waiting <= queueWindows) return
    this.#forget()
    this.dropped++
  }

  #forget(): void {
    this.#first = (this.#first + 1) % (queueWindows + 1)
    this.#waiting--
    this.#passed++
  }
}
