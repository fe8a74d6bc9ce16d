// The speaking half: plays the sound of the model's own answers, and has it say word for word what it did not think of.

import type { ChatMessage } from '../../../ports/language-model.ts'
import type { SynthesisEvent, SynthesisStream, SynthesizerOptions } from '../../../ports/synthesizer.ts'
import { EventQueue } from '../wire/event-queue.ts'
import type { SpokenAnswer } from './answer.ts'

export interface VoiceParts<Answer extends SpokenAnswer> {
  /** The answer that contains these words, if its sound has not been played yet. */
  answerWith(words: string): Answer | undefined
  /** A new answer that says exactly these words. */
  sayExactly(words: string, options: SynthesizerOptions): Answer
  cancel(answer: Answer): void
}

/** All system messages as one text. */
export const instructionsIn = (messages: readonly ChatMessage[]): string =>
  messages
    .filter(({ role }) => role === 'system')
    .map(({ content }) => content)
    .join('\n\n')

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** Whether the words are part of what was said. */
export const contains = (transcript: string, words: string): boolean =>
  lettersOf(transcript).includes(lettersOf(words))

export class RealtimeVoice<Answer extends SpokenAnswer> implements SynthesisStream {
  readonly #parts: VoiceParts<Answer>
  readonly #options: SynthesizerOptions
  readonly #events = new EventQueue<SynthesisEvent>()
  /** In the order in which they are played; the first is being played. */
  readonly #answers: Answer[] = []
  #isFinished = false
  #isOver = false

  constructor(parts: VoiceParts<Answer>, options: SynthesizerOptions, signal: AbortSignal) {
    this.#parts = parts
    this.#options = options
    signal.addEventListener('abort', () => this.cancel(), { once: true })
  }

  /** The words of an answer come one clause after the other, and its sound is played as a whole. */
  write(clause: string): void {
    if (this.#isOver || this.#answers.some(({ transcript }) => contains(transcript, clause))) return
    this.#answers.push(this.#parts.answerWith(clause) ?? this.#parts.sayExactly(clause, this.#options))
    if (this.#answers.length === 1) this.#play()
  }

  flush(): void {}

  finish(): void {
    this.#isFinished = true
    if (this.#answers.length === 0) this.#end()
  }

  cancel(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#events.clear()
    for (const answer of this.#answers) this.#parts.cancel(answer)
  }

  [Symbol.asyncIterator](): AsyncIterator<SynthesisEvent> {
    return this.#events[Symbol.asyncIterator]()
  }

  #play(): void {
    this.#answers[0]?.claim({
      rateHz: this.#options.rateHz,
      onFrames: (frames) => {
        for (const frame of frames) this.#events.push({ type: 'frame', frame })
      },
      onEnd: (error) => {
        if (error) this.#events.fail(error)
        else this.#next()
      },
    })
  }

  #next(): void {
    this.#answers.shift()
    if (this.#answers.length > 0) this.#play()
    else if (this.#isFinished) this.#end()
  }

  #end(): void {
    this.#isOver = true
    this.#events.end()
  }
}
