// The second call of a transfer: the agent speaks to the target and hears its answer, while the caller waits.
import { makeFrame, silence } from '../../media/frame.ts'
import type { Consultation, Line, LineEvent } from '../../ports/line.ts'
import type { CallParts, Clock } from '../call-parts.ts'
import { attempt, faultSentence } from '../contain.ts'
import { CallerQueue } from '../listen/caller-queue.ts'
import { Recognition, type RecognitionParts } from '../listen/recognition.ts'
import type { Voice } from '../speak/speaker.ts'
import { SpeechOutput } from '../speak/speech-output.ts'
import { clausesOf } from '../think/clauses.ts'
import type { Aside } from '../two-way-audio.ts'
import { type BriefingAct, type BriefingEvent, beginBriefing, brief, type NotConnected } from './briefing.ts'

export interface ConsultParts {
  readonly line: Line
  readonly to: string
  readonly clock: Clock
  readonly voice: Voice
  readonly hearing: Pick<RecognitionParts, 'options'> & Pick<CallParts, 'transcriber' | 'detector'>
  /** The words for the target; empty: the target is connected as soon as it answers. */
  readonly words: () => string
  readonly ringingMs: number
  readonly onRinging: () => void
  readonly onCharacters: (count: number) => void
  readonly onCached: (count: number) => void
  readonly onConnected: () => void
  readonly onRefused: (outcome: NotConnected, reason: string) => void
}

// Longer than a stop inside a word.
const askFinalAfterMs = 160

export class Consult {
  readonly #parts: ConsultParts
  readonly #second: Consultation
  readonly #queue: CallerQueue
  readonly #sound
  readonly #output: SpeechOutput
  #recognition: Recognition | undefined
  #state
  #generation = 0
  /** The time at which the words of the last voice are asked for. */
  #askFinalMs = Number.POSITIVE_INFINITY
  #isOver = false

  /** Throws if the line cannot place a second call. */
  constructor(parts: ConsultParts) {
    const { line, to, clock, voice } = parts
    if (!line.consult) throw new Error('This line cannot place a second call.')
    this.#parts = parts
    this.#queue = new CallerQueue(line.rateHz)
    this.#sound = { heard: silence(line.rateHz), said: makeFrame(line.rateHz) }
    this.#state = beginBriefing(clock.nowMs)
    this.#output = new SpeechOutput(voice, clock, {
      onSound() {},
      onBegan() {},
      onPiece() {},
      onQuiet() {},
      onSounding() {},
      onSaid() {},
      onCharacters: parts.onCharacters,
      onCached: parts.onCached,
      onDrained: () => this.#take({ type: 'said' }),
      onFailure: (error) => this.#refuse('failed', error),
    })
    this.#second = line.consult(to, {
      onEvent: (event) => this.#onLine(event),
      onFrame: (frame) => this.#queue.push(frame),
    })
  }

  tick(): void {
    if (this.#isOver) return
    const { said } = this.#sound
    this.#sound.heard = this.#queue.take()
    this.#recognition?.hear(this.#sound.heard, said.samples)
    if (this.#parts.clock.nowMs >= this.#askFinalMs) {
      this.#askFinalMs = Number.POSITIVE_INFINITY
      this.#recognition?.askFinal()
    }
    this.#take({ type: 'tick' })
    if (this.#isOver || !this.#recognition) return
    this.#output.fill(said.samples)
    const [fault] = attempt(() => this.#second.send(said))
    if (fault) this.#refuse('failed', fault)
    else this.#output.tick()
  }

  /** The last 20 ms, once the target has answered. */
  get sound(): Aside | undefined {
    return this.#recognition && !this.#isOver ? this.#sound : undefined
  }

  /** Ends the second call, because the caller has left or waits no longer. */
  close(): void {
    this.#end()
    this.#hangUp()
  }

  #onLine(event: LineEvent): void {
    if (event.type === 'ringing') this.#parts.onRinging()
    else if (event.type === 'answered') {
      this.#take({ type: 'answered' })
      if (!this.#isOver) this.#listen()
    } else if (event.type === 'digit' || event.type === 'out-of-reach' || event.type === 'in-reach')
      this.#take(event)
    else if (event.type === 'ended') this.#take({ type: 'ended', cause: event.cause, reason: event.reason })
  }

  #listen(): void {
    const { hearing, clock } = this.#parts
    this.#recognition = new Recognition(
      { ...hearing, beganMs: clock.nowMs, recentWords: () => this.#output.recentWords() },
      {
        onVoiceStart: () => {
          this.#askFinalMs = Number.POSITIVE_INFINITY
          this.#take({ type: 'voice', speaking: true })
        },
        onVoiceEnd: () => {
          this.#askFinalMs = clock.nowMs + askFinalAfterMs
          this.#take({ type: 'voice', speaking: false })
        },
        onWords: (type, text) => this.#take({ type: 'words', text, isFinal: type === 'final' }),
        onLanguage() {},
        onTurnDetection() {},
        onEndOfTurn() {},
        onBeep: () => this.#take({ type: 'beep' }),
        onInformationTones: () => this.#take({ type: 'ended', cause: 'unreachable', reason: undefined }),
        onNote() {},
        onFailure: (error) => this.#refuse('failed', error),
      },
    )
    this.#recognition.open()
  }

  #take(event: BriefingEvent): void {
    if (this.#isOver) return
    const { clock, words, ringingMs } = this.#parts
    const { next, acts } = brief(this.#state, event, clock.nowMs, { words: words(), ringingMs })
    this.#state = next
    for (const act of acts) this.#do(act)
  }

  #do(act: BriefingAct): void {
    if (act.do === 'tell') this.#tell()
    else if (act.do === 'join') void this.#join()
    else this.#refuse(act.outcome, act.reason)
  }

  #tell(): void {
    this.#output.say(++this.#generation, 'notice', clausesOf(this.#parts.words()), false)
  }

  async #join(): Promise<void> {
    this.#end()
    try {
      await this.#second.join()
      this.#parts.onConnected()
    } catch (error) {
      this.#hangUp()
      this.#parts.onRefused('failed', faultSentence(error))
    }
  }

  #refuse(outcome: NotConnected, reason: string): void {
    if (this.#isOver) return
    this.close()
    this.#parts.onRefused(outcome, reason)
  }

  /** A second call that cannot even be ended must not keep the first one from going on. */
  #hangUp(): void {
    attempt(() => this.#second.hangUp())
  }

  #end(): void {
    this.#isOver = true
    this.#output.discardAll()
    this.#recognition?.close()
  }
}
