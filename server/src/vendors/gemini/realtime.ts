// Gemini Live as a mind that hears and speaks itself.
//
// Gemini Live answers as soon as a turn is over, and cannot be told other tools while it is connected. So the call's own
// recognizer decides when that is, and the model gets the sound of a whole turn with the request to answer it.
import type { ChatMessage, LanguageModel, ModelRequest, ToolDescription } from '../../ports/language-model.ts'
import type { RealtimeMind, RealtimeOptions } from '../../ports/realtime-mind.ts'
import type { Synthesizer, SynthesizerOptions } from '../../ports/synthesizer.ts'
import type { Transcriber } from '../../ports/transcriber.ts'
import { ReadAloud, type RealtimeAnswer, type SpokenAnswer } from '../over/realtime/answer.ts'
import { CallerSound } from '../over/realtime/caller-sound.ts'
import { contains, instructionsIn, RealtimeVoice, type VoiceParts } from '../over/realtime/voice.ts'
import { GeminiAnswers } from './realtime-answers.ts'
import { GeminiSession } from './realtime-session.ts'
import { toolsOf } from './request-body.ts'

/** Parts of the call for what Gemini Live has no means for. */
export interface GeminiParts {
  /** Recognizes the words of the caller, for turn-taking and the transcript. */
  readonly transcriber: Transcriber
  /** Says what the model did not think of, in the same voice. */
  readonly synthesizer: Synthesizer
  /** Answers questions of ours about the conversation, in text. */
  readonly aside: LanguageModel
}

export const geminiLive = (options: RealtimeOptions, parts: GeminiParts): RealtimeMind =>
  new GeminiLive(options, parts)

const soundHz = 16_000
// Half a second in one message.
const framesPerMessage = 25

class GeminiLive implements RealtimeMind, VoiceParts<SpokenAnswer> {
  readonly #options: RealtimeOptions
  readonly #parts: GeminiParts
  readonly #session: GeminiSession
  readonly #answers: GeminiAnswers
  readonly #sound = new CallerSound(soundHz)
  #told = { system: '', tools: '' }
  /** The newest message that the model knows of. */
  #known: ChatMessage | undefined
  /** Whether the model was interrupted: an activity has begun and not ended. */
  #isActive = false

  constructor(options: RealtimeOptions, parts: GeminiParts) {
    this.#options = options
    this.#parts = parts
    this.#answers = new GeminiAnswers(options.model)
    this.#session = new GeminiSession(options, {
      onMessage: (message) => this.#answers.take(message),
      onEnd: (error) => {
        this.#isActive = false
        this.#answers.fail(error)
      },
    })
  }

  get transcriber(): Transcriber {
    const { transcriber } = this.#parts
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
    open: (options, signal) => new RealtimeVoice<SpokenAnswer>(this, options, signal),
    warm: async (options, signal) => this.#parts.synthesizer.warm?.(options, signal),
  }

  readonly model: LanguageModel = { reply: (request, signal) => this.#reply(request, signal) }

  close(): void {
    this.#session.close()
  }

  answerWith(words: string): SpokenAnswer | undefined {
    return this.#answers.with(words)
  }

  sayExactly(words: string, options: SynthesizerOptions): SpokenAnswer {
    return new ReadAloud(words, this.#parts.synthesizer, options)
  }

  cancel(answer: SpokenAnswer): void {
    if (answer instanceof ReadAloud) answer.cancel()
    else if (this.#answers.drop(answer)) {
      this.#isActive = true
      this.#session.send({ realtimeInput: { activityStart: {} } })
    }
  }

  async *#reply(request: ModelRequest, signal: AbortSignal): ReturnType<LanguageModel['reply']> {
    if (request.isAside) {
      yield* this.#parts.aside.reply(request, signal)
      return
    }
    const answer = this.#askTurn(request)
    const stop = () => this.cancel(answer)
    signal.addEventListener('abort', stop, { once: true })
    try {
      yield* answer.parts
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  #askTurn({ messages, tools }: ModelRequest): RealtimeAnswer {
    const before = this.#answers.last
    if (before) this.cancel(before)
    this.#tell(messages, tools)
    const said = messages.filter(({ role }) => role !== 'system')
    const place = said.findLastIndex((one) => isSame(one, this.#known))
    const fresh = said.slice(place + 1)
    const answer = this.#answers.begin()
    const results = this.#answers.resultsIn(fresh)
    const sound = this.#sound.take()
    const last = fresh.at(-1)
    const isHeard = sound.length > 0 && last?.role === 'user'
    const cut = this.#cutOff(before, said)
    this.#context([...turnsOf(fresh.slice(0, -1), this.#answers), ...cut])
    if (results.length > 0) this.#session.send({ toolResponse: { functionResponses: results } })
    else if (isHeard) this.#sendSound(sound)
    else this.#sendText(last?.role === 'user' ? last.content : 'The call begins.')
    this.#known = said.at(-1)
    return answer
  }

  /** Sends prompt and tools when they have changed. */
  #tell(messages: readonly ChatMessage[], tools: readonly ToolDescription[]): void {
    const system = instructionsIn(messages)
    const declared = JSON.stringify(tools)
    if (!this.#session.isSetUp || declared !== this.#told.tools) {
      this.#isActive = false
      const isContinued = this.#session.setUp(setupOf(this.#options, system, tools))
      // A new connection has to be told everything again.
      if (!isContinued) this.#known = undefined
    } else if (system !== this.#told.system)
      this.#context([{ role: 'user', parts: [{ text: `Instructions from now on:\n${system}` }] }])
    this.#told = { system, tools: declared }
  }

  /** The model is told how much of its last answer was heard. */
  #cutOff(before: RealtimeAnswer | undefined, said: readonly ChatMessage[]): readonly GeminiContent[] {
    const heard = said.findLast(({ role }) => role === 'assistant')?.content ?? ''
    if (!before || heard.length >= before.transcript.trim().length || !contains(before.transcript, heard))
      return []
    return [{ role: 'user', parts: [{ text: `(You were interrupted. What was heard of you: "${heard}")` }] }]
  }

  #context(turns: readonly GeminiContent[]): void {
    if (turns.length > 0) this.#session.send({ clientContent: { turns, turnComplete: false } })
  }

  #sendSound(frames: readonly Int16Array[]): void {
    if (!this.#isActive) this.#session.send({ realtimeInput: { activityStart: {} } })
    for (let at = 0; at < frames.length; at += framesPerMessage) {
      const bytes = frames.slice(at, at + framesPerMessage).map(({ buffer }) => Buffer.from(buffer))
      const audio = { data: Buffer.concat(bytes).toString('base64'), mimeType: `audio/pcm;rate=${soundHz}` }
      this.#session.send({ realtimeInput: { audio } })
    }
    this.#endActivity()
  }

  #sendText(text: string): void {
    if (this.#isActive) {
      this.#session.send({ realtimeInput: { text } })
      this.#endActivity()
    } else
      this.#session.send({
        clientContent: { turns: [{ role: 'user', parts: [{ text }] }], turnComplete: true },
      })
  }

  #endActivity(): void {
    this.#isActive = false
    this.#session.send({ realtimeInput: { activityEnd: {} } })
  }
}

interface GeminiContent {
  readonly role: 'user' | 'model'
  readonly parts: readonly { readonly text: string }[]
}

/** The messages that the model has not heard or said itself: its greeting, keys that were pressed, an earlier part of the call. */
const turnsOf = (messages: readonly ChatMessage[], answers: GeminiAnswers): readonly GeminiContent[] =>
  messages.flatMap(({ role, content, toolCalls }): GeminiContent[] => {
    if (!content || toolCalls || role === 'tool' || role === 'system') return []
    if (role === 'assistant' && answers.said(content)) return []
    return [{ role: role === 'assistant' ? 'model' : 'user', parts: [{ text: content }] }]
  })

const isSame = (one: ChatMessage, other: ChatMessage | undefined): boolean =>
  one.role === other?.role && one.content === other.content && one.toolCallId === other.toolCallId

const setupOf = ({ voice }: RealtimeOptions, system: string, tools: readonly ToolDescription[]) => ({
  generationConfig: {
    responseModalities: ['AUDIO'],
    ...(voice && { speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: voice } } } }),
  },
  ...(system && { systemInstruction: { parts: [{ text: system }] } }),
  ...toolsOf(tools),
  // The call decides whose turn it is.
  realtimeInputConfig: { automaticActivityDetection: { disabled: true } },
  outputAudioTranscription: {},
  // Otherwise a conversation ends after a quarter of an hour.
  contextWindowCompression: { slidingWindow: {} },
})
