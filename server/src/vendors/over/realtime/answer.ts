// One answer of a realtime model: its words and tools for the language model port, its sound for the synthesizer port.
import type { Frame, RateHz } from '../../../media/frame.ts'
import type { ModelPart, ModelUsage, ToolCall } from '../../../ports/language-model.ts'
import { PcmFrames } from '../speaks/pcm.ts'
import { EventQueue } from '../wire/event-queue.ts'
import { VendorLate } from '../wire/vendor-failure.ts'
import { wholeWordsOf } from './whole-words.ts'

/** `broken off`: there is no more sound, although not everything was said. */
export type SoundEnd = 'complete' | 'broken off' | Error

/** What reads the sound of an answer. */
export interface SoundReader {
  readonly rateHz: RateHz
  onFrames(frames: readonly Frame[]): void
  onEnd(how: SoundEnd): void
}

/** What a voice can play. */
export interface SpokenAnswer {
  readonly transcript: string
  /** The length of the sound so far. */
  readonly soundMs: number
  /** Plays the sound of the answer, from its beginning. */
  claim(to: SoundReader): void
}

export interface AnswerRules {
  /** The vendor's name in sentences. */
  readonly label: string
  readonly wireRateHz: RateHz
  /** How long the vendor may send nothing of an answer that is not over. */
  readonly patienceMs: number
}

export class RealtimeAnswer implements SpokenAnswer {
  readonly parts = new EventQueue<ModelPart>()
  readonly #rules: AnswerRules
  transcript = ''
  soundMs = 0
  isDropped = false
  #waiting: Uint8Array[] = []
  /** Until the answer is complete: one that breaks off is asked for again, and tools must not run twice. */
  #calls: ToolCall[] = []
  #reader: { readonly to: SoundReader; readonly pcm: PcmFrames } | undefined
  #end: SoundEnd | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(rules: AnswerRules) {
    this.#rules = rules
    this.#wait()
  }

  get isOver(): boolean {
    return this.#end !== undefined
  }

  get isClaimed(): boolean {
    return this.#reader !== undefined
  }

  claim(to: SoundReader): void {
    this.#reader = { to, pcm: new PcmFrames(this.#rules.wireRateHz, to.rateHz) }
    for (const bytes of this.#waiting.splice(0)) to.onFrames(this.#reader.pcm.push(bytes))
    if (this.#end) this.#endSound()
  }

  addWords(words: string): void {
    if (this.#end) return
    this.#wait()
    this.transcript += words
    this.parts.push({ type: 'text', text: words })
  }

  addSound(bytes: Uint8Array): void {
    if (this.#end) return
    this.#wait()
    this.soundMs += bytes.length / 2 / (this.#rules.wireRateHz / 1_000)
    if (this.#reader) this.#reader.to.onFrames(this.#reader.pcm.push(bytes))
    else this.#waiting.push(bytes)
  }

  addCall(call: ToolCall): void {
    if (this.#end) return
    this.#wait()
    this.#calls.push(call)
  }

  hasCalled(id: string): boolean {
    return this.#calls.some((call) => call.id === id)
  }

  addUsage(usage: ModelUsage): void {
    this.parts.push({ type: 'usage', ...usage })
  }

  complete(): void {
    if (this.#end) return
    for (const call of this.#calls) this.parts.push({ type: 'tool-call', call })
    this.parts.end()
    this.#over('complete')
  }

  /** It is not wanted any more. */
  drop(): void {
    this.isDropped = true
    this.#calls = []
    this.complete()
  }

  /** Whoever reads its words gets the error; whoever plays its sound, that it is not all. */
  breakOff(error: Error): void {
    if (this.#end) return
    this.transcript = wholeWordsOf(this.transcript)
    this.parts.fail(error)
    this.#over('broken off')
  }

  #over(how: SoundEnd): void {
    clearTimeout(this.#timer)
    this.#end = how
    this.#endSound()
  }

  #wait(): void {
    const { label, patienceMs } = this.#rules
    const dueMs = performance.now() + patienceMs
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      // The process was held up, so the vendor's silence proves nothing.
      if (performance.now() - dueMs > patienceMs / 2) this.#wait()
      else this.breakOff(new VendorLate(`${label} said nothing for ${patienceMs / 1_000} s.`))
    }, patienceMs).unref()
  }

  #endSound(): void {
    if (!this.#reader || !this.#end) return
    const { to, pcm } = this.#reader
    to.onFrames(pcm.flush())
    to.onEnd(this.#end)
  }
}
