// The speaking half: plays the sound of the model's own answers, and has what it did not think of said word for word.
import type { SynthesisEvent, SynthesisStream, SynthesizerOptions } from '../../../ports/synthesizer.ts'
import { EventQueue } from '../wire/event-queue.ts'
import type { SoundEnd, SpokenAnswer } from './answer.ts'
import { placeInSpeech } from './same-words.ts'
import type { SpeechPace } from './speech-pace.ts'

export interface VoiceParts {
  readonly pace: SpeechPace
  /** The answer that contains these words, if its sound has not been played yet. */
  answerWith(words: string): SpokenAnswer | undefined
  /** A new answer that says exactly these words, in the model's own voice if it can. */
  sayExactly(words: string, options: SynthesizerOptions): SpokenAnswer
  /** The same without the model. */
  readAloud(words: string, options: SynthesizerOptions): SpokenAnswer
  cancel(answer: SpokenAnswer): void
}

interface PlayedAnswer {
  readonly answer: SpokenAnswer
  /** The words that were ordered; undefined: they are the model's own. */
  readonly ordered: string | undefined
  /** How many letters of the model's own words have come as clauses. */
  writtenTo: number
}

/** One saying. What has been played is remembered until its end: words come after their sound. */
export class RealtimeVoice implements SynthesisStream {
  readonly #parts: VoiceParts
  readonly #options: SynthesizerOptions
  readonly #events = new EventQueue<SynthesisEvent>()
  /** In the order in which they are played. */
  readonly #answers: PlayedAnswer[] = []
  #played = 0
  #isFinished = false
  #isOver = false

  constructor(parts: VoiceParts, options: SynthesizerOptions, signal: AbortSignal) {
    this.#parts = parts
    this.#options = options
    signal.addEventListener('abort', () => this.cancel(), { once: true })
  }

  /** The words of an answer come one clause after the other, and its sound is played as a whole. */
  write(clause: string): void {
    if (this.#isOver || this.#answers.some((playing) => contains(playing, clause))) return
    const own = this.#parts.answerWith(clause)
    const playing: PlayedAnswer = own
      ? { answer: own, ordered: undefined, writtenTo: 0 }
      : { answer: this.#parts.sayExactly(clause, this.#options), ordered: clause, writtenTo: 0 }
    contains(playing, clause)
    this.#add(this.#answers.length, playing)
  }

  flush(): void {}

  finish(): void {
    this.#isFinished = true
    if (this.#played === this.#answers.length) this.#end()
  }

  cancel(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#events.clear()
    for (const { answer } of this.#answers.slice(this.#played)) this.#parts.cancel(answer)
  }

  [Symbol.asyncIterator](): AsyncIterator<SynthesisEvent> {
    return this.#events[Symbol.asyncIterator]()
  }

  #add(place: number, playing: PlayedAnswer): void {
    this.#answers.splice(place, 0, playing)
    if (place === this.#played) this.#play(playing)
  }

  #play(playing: PlayedAnswer): void {
    playing.answer.claim({
      rateHz: this.#options.rateHz,
      onFrames: (frames) => {
        for (const frame of frames) this.#events.push({ type: 'frame', frame })
      },
      onEnd: (how) => this.#ended(playing, how),
    })
  }

  #ended({ answer, ordered }: PlayedAnswer, how: SoundEnd): void {
    if (this.#isOver) return
    if (how instanceof Error) {
      this.#isOver = true
      this.#events.fail(how)
      return
    }
    this.#played++
    const { pace } = this.#parts
    if (how === 'complete') pace.learn(answer.transcript, answer.soundMs)
    const rest = how === 'broken off' ? pace.unsaid(ordered ?? answer.transcript, answer.soundMs) : ''
    if (rest) this.#sayRest(rest, ordered !== undefined)
    else this.#next()
  }

  /** What the model cannot even say word for word is left to another voice. */
  #sayRest(rest: string, hasBeenOrdered: boolean): void {
    const answer = hasBeenOrdered
      ? this.#parts.readAloud(rest, this.#options)
      : this.#parts.sayExactly(rest, this.#options)
    this.#add(this.#played, { answer, ordered: rest, writtenTo: 0 })
  }

  #next(): void {
    const next = this.#answers[this.#played]
    if (next) this.#play(next)
    else if (this.#isFinished) this.#end()
  }

  #end(): void {
    this.#isOver = true
    this.#events.end()
  }
}

/** Whether these are the next words of an answer of the model's own; if so, they have come. */
function contains(playing: PlayedAnswer, clause: string): boolean {
  if (playing.ordered !== undefined) return false
  const place = placeInSpeech(clause, playing.answer.transcript, playing.writtenTo)
  if (place === undefined) return false
  playing.writtenTo = place.to
  return true
}
