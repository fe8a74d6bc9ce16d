// Counts what each speech engine of a call was given: seconds of sound, characters of text. It stands below the cache,
// so that kept speech is not counted.
import { frameMs } from '../media/frame.ts'
import type { UsageOfSpeech } from '../ports/call.ts'
import type { Synthesizer } from '../ports/synthesizer.ts'
import type { Transcriber } from '../ports/transcriber.ts'
import { rewording } from './spoken-words.ts'

export class SpeechMeter {
  readonly #rows = new Map<string, SpeechCount>()

  /** The counts, in the order in which the engines began to work. */
  get rows(): readonly UsageOfSpeech[] {
    return [...this.#rows.values()].map(({ part, name, frames, characters }) => ({
      part,
      name,
      characters,
      seconds: (frames * frameMs) / 1_000,
    }))
  }

  /** The counts of one engine, which the caller increases fifty times a second. */
  row(part: UsageOfSpeech['part'], name: string): SpeechCount {
    const key = JSON.stringify([part, name])
    const row = this.#rows.get(key) ?? { part, name, frames: 0, characters: 0 }
    this.#rows.set(key, row)
    return row
  }
}

interface SpeechCount extends Pick<UsageOfSpeech, 'part' | 'name'> {
  frames: number
  characters: number
}

/** `name`: the engine's name in the record of the call. */
export function meteredSynthesizer(engine: Synthesizer, name: string, meter: SpeechMeter): Synthesizer {
  const { abilities, warm, close } = engine
  return {
    abilities,
    open(options, signal) {
      const stream = engine.open(options, signal)
      const row = meter.row('synthesizer', name)
      return rewording(stream, (clause) => {
        row.characters += clause.length
        return clause
      })
    },
    ...(warm && { warm: (options, signal) => warm.call(engine, options, signal) }),
    ...(close && { close: () => close.call(engine) }),
  }
}

export function meteredTranscriber(engine: Transcriber, name: string, meter: SpeechMeter): Transcriber {
  const { abilities, detectsTurns, warm, close } = engine
  return {
    abilities,
    ...(detectsTurns && { detectsTurns: (options) => detectsTurns.call(engine, options) }),
    open(options, signal) {
      const stream = engine.open(options, signal)
      const row = meter.row('transcriber', name)
      return {
        write(frame) {
          row.frames++
          stream.write(frame)
        },
        ...(stream.hear && { hear: (event) => stream.hear?.(event) }),
        ...(stream.finalize && { finalize: () => stream.finalize?.() }),
        finish: () => stream.finish(),
        [Symbol.asyncIterator]: () => stream[Symbol.asyncIterator](),
      }
    },
    ...(warm && { warm: (options, signal) => warm.call(engine, options, signal) }),
    ...(close && { close: () => close.call(engine) }),
  }
}
