// Gemini Live as a mind that hears and speaks itself.
//
// Gemini Live answers as soon as a turn is over, and cannot be told other tools while it is connected. So the call's own
// recognizer decides when that is, and the model gets the sound of a whole turn with the request to answer it.
//
// A connection that ends is replaced by one that takes up the conversation; one that ends, fails or falls silent in the
// middle of an answer, by another conversation that is told what was said so far.
import type { ChatMessage, LanguageModel, ModelRequest } from '../../ports/language-model.ts'
import type { RealtimeBeside, RealtimeMind, RealtimeOptions } from '../../ports/realtime-mind.ts'
import type { Synthesizer, SynthesizerOptions } from '../../ports/synthesizer.ts'
import type { Transcriber } from '../../ports/transcriber.ts'
import type { RealtimeAnswer, SpokenAnswer } from '../over/realtime/answer.ts'
import { CallerSound } from '../over/realtime/caller-sound.ts'
import { type AskedAgain, lastingReply } from '../over/realtime/lasting-reply.ts'
import { instructionsIn, messagesSince, withoutInstructions } from '../over/realtime/messages.ts'
import { ReadAloud } from '../over/realtime/read-aloud.ts'
import { SpeechPace } from '../over/realtime/speech-pace.ts'
import { RealtimeVoice, type VoiceParts } from '../over/realtime/voice.ts'
import { GeminiAnswers } from './realtime-answers.ts'
import { GeminiSession } from './realtime-session.ts'
import { setupOf } from './realtime-setup.ts'
import { askedInWords, GeminiTurns, geminiTurnsOf } from './realtime-turns.ts'

/** Parts of the call for what Gemini Live has no means for. */
export interface GeminiBeside extends RealtimeBeside {
  /** Recognizes the words of the caller, for turn-taking and the transcript. */
  readonly transcriber: Transcriber
}

export const geminiLive = (options: RealtimeOptions, beside: GeminiBeside): RealtimeMind =>
  new GeminiLive(options, beside)

const soundHz = 16_000
// A conversation that cannot be begun twice in a row will not be begun for this caller.
const mostRefusals = 2

class GeminiLive implements RealtimeMind, VoiceParts, AskedAgain {
  readonly pace = new SpeechPace()
  readonly #options: RealtimeOptions
  readonly #beside: GeminiBeside
  readonly #session: GeminiSession
  readonly #answers: GeminiAnswers
  readonly #turns: GeminiTurns
  readonly #sound = new CallerSound(soundHz)
  /** The sound that was asked about last. */
  #asked: readonly Int16Array[] = []
  #told = { system: '', tools: '' }
  /** The messages of the last request; empty: it is another conversation. */
  #known: readonly ChatMessage[] = []
  #refusals = 0
  /** The error that ended the last connection. */
  #lost: Error | undefined
  #gone: Error | undefined

  constructor(options: RealtimeOptions, beside: GeminiBeside) {
    this.#options = options
    this.#beside = beside
    this.#answers = new GeminiAnswers(options.model)
    this.#session = new GeminiSession(options, {
      onMessage: (message) => {
        if (message.setupComplete) this.#refusals = 0
        this.#answers.take(message)
      },
      onEnd: (error) => this.#lose(error),
    })
    this.#turns = new GeminiTurns(options.model, (message) => this.#session.send(message))
  }

  get transcriber(): Transcriber {
    const { transcriber } = this.#beside
    return {
      abilities: transcriber.abilities,
      open: (options, signal) => {
        const stream = transcriber.open(options, signal)
        this.#sound.begin(options.rateHz)
        return {
          write: (frame) => {
            this.#sound.write(frame)
            stream.write(frame)
          },
          hear: (event) => {
            this.#sound.hear(event)
            stream.hear?.(event)
          },
          ...(stream.finalize && { finalize: () => stream.finalize?.() }),
          finish: () => stream.finish(),
          [Symbol.asyncIterator]: () => stream[Symbol.asyncIterator](),
        }
      },
      warm: async (options, signal) => {
        this.#session.open()
        await transcriber.warm?.(options, signal)
      },
    }
  }

  readonly synthesizer: Synthesizer = {
    // What was heard of an answer is estimated by the length of its sound.
    abilities: { clauseEnds: false, wordTimes: false, languages: 'any', readsFigures: true },
    open: (options, signal) => new RealtimeVoice(this, options, signal),
    warm: async (options, signal) => this.#beside.synthesizer.warm?.(options, signal),
  }

  readonly model: LanguageModel = {
    reply: (request, signal) => {
      if (this.#gone) throw this.#gone
      if (request.isAside) throw new Error(`${this.#options.model} answers nothing beside its conversation.`)
      return lastingReply(this, request, signal)
    },
  }

  close(): void {
    this.#session.close()
  }

  answerWith(words: string): SpokenAnswer | undefined {
    return this.#answers.with(words)
  }

  sayExactly(words: string, options: SynthesizerOptions): SpokenAnswer {
    return new ReadAloud(words, this.#beside.synthesizer, options)
  }

  readAloud(words: string, options: SynthesizerOptions): SpokenAnswer {
    return this.sayExactly(words, options)
  }

  cancel(answer: SpokenAnswer): void {
    if (answer instanceof ReadAloud) answer.cancel()
    else if (this.#answers.drop(answer)) this.#turns.interrupt()
  }

  ask({ messages, tools }: ModelRequest, said: string): RealtimeAnswer {
    const before = this.#answers.last
    if (before) this.cancel(before)
    const system = instructionsIn(messages)
    const declared = JSON.stringify(tools)
    const isSetUp = this.#session.isSetUp && declared === this.#told.tools
    const isNew = !isSetUp && !this.#session.isContinuable
    if (isNew) this.#forget()
    const all = withoutInstructions(messages)
    const fresh = messagesSince(this.#known, all)
    const last = fresh.at(-1)
    const isAsking = last?.role === 'user' && !said
    const told = geminiTurnsOf(isAsking ? fresh.slice(0, -1) : fresh, this.#answers, { isNew, said })
    if (!isSetUp) {
      this.#turns.begin()
      this.#answers.connect()
      this.#session.setUp(setupOf(this.#options, { system, tools, hasHistory: isNew && told.length > 0 }))
    }
    const results = this.#answers.resultsIn(fresh)
    const instructions = isSetUp && system !== this.#told.system ? system : undefined
    const cut = this.#answers.cutOff(before, all)
    const sound = this.#sound.take()
    this.#asked = isAsking ? sound : []
    const text = askedInWords(all, said)
    this.#turns.send({ isNew, told, instructions, cut, results, sound: this.#asked, text })
    this.#told = { system, tools: declared }
    this.#known = all
    return this.#answers.begin()
  }

  recover(error: unknown): boolean {
    if (error !== this.#lost) this.#lose(error as Error)
    // The server may or may not have taken down what broke off.
    this.#session.forget()
    this.#sound.putBack(this.#asked)
    return this.#gone === undefined
  }

  #forget(): void {
    this.#answers.forget()
    this.#known = []
  }

  #lose(error: Error): void {
    if (this.#gone) return
    const { hasBegun } = this.#session
    this.#lost = error
    if (hasBegun) this.#session.close()
    else this.#session.forget()
    this.#refusals += hasBegun ? 0 : 1
    if (this.#refusals >= mostRefusals) {
      this.#gone = error
      this.#beside.onGone(error)
    } else this.#beside.onNote(`${this.#options.model} goes on over a new connection: ${error.message}`)
    this.#answers.breakOff(error)
  }
}
