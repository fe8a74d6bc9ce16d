// OpenAI's realtime models as a mind that hears and speaks itself.
//
// A session that ends, fails or falls silent is replaced by another that is told what was said so far; one that is an hour
// old, before the server ends it.
import type { LanguageModel, ModelPart, ModelRequest } from '../../ports/language-model.ts'
import type { RealtimeBeside, RealtimeMind, RealtimeOptions } from '../../ports/realtime-mind.ts'
import type { SynthesizerOptions } from '../../ports/synthesizer.ts'
import type { RealtimeAnswer, SpokenAnswer } from '../over/realtime/answer.ts'
import { type AskedAgain, lastingReply } from '../over/realtime/lasting-reply.ts'
import { ReadAloud } from '../over/realtime/read-aloud.ts'
import { contains } from '../over/realtime/same-words.ts'
import { SpeechPace } from '../over/realtime/speech-pace.ts'
import { RealtimeVoice, type VoiceParts } from '../over/realtime/voice.ts'
import { VendorLate } from '../over/wire/vendor-failure.ts'
import { sayingExactly, writing } from './beside-conversation.ts'
import { OpenAiConversation } from './realtime-conversation.ts'
import { OpenAiResponse } from './realtime-response.ts'
import { OpenAiResponses } from './realtime-responses.ts'
import { type OpenAiMessage, OpenAiSession } from './realtime-session.ts'
import { OpenAiEars } from './realtime-transcript.ts'

export const openAiRealtime = (options: RealtimeOptions, beside: RealtimeBeside): RealtimeMind =>
  new OpenAiRealtime(options, beside)

interface Talk {
  readonly session: OpenAiSession
  readonly responses: OpenAiResponses
  readonly conversation: OpenAiConversation
}

// One that cannot be opened twice in a row will not be opened for this caller.
const mostRefusals = 2
// An answer is played within the turn it belongs to, or never.
const mostPlayable = 8

class OpenAiRealtime implements RealtimeMind, VoiceParts, AskedAgain {
  readonly pace = new SpeechPace()
  readonly #options: RealtimeOptions
  readonly #beside: RealtimeBeside
  readonly #ears = new Set<OpenAiEars>()
  /** Answers whose sound may be wanted, the newest last. */
  #playable: OpenAiResponse[] = []
  #talk: Talk
  #isOld = false
  #isReadAloud = false
  #refusals = 0
  #gone: Error | undefined

  constructor(options: RealtimeOptions, beside: RealtimeBeside) {
    this.#options = options
    this.#beside = beside
    this.#talk = this.#newTalk()
  }

  readonly transcriber: RealtimeMind['transcriber'] = {
    abilities: { keyterms: true, languages: 'any' },
    open: ({ rateHz }, signal) => {
      if (this.#gone) throw this.#gone
      this.#talk.session.open()
      const ears = new OpenAiEars(
        {
          send: (type, body) => this.#talk.session.send(type, body),
          onCommit: () => this.#talk.conversation.commit(),
          onSilence: (error) => this.#lose(error),
        },
        rateHz,
      )
      this.#ears.add(ears)
      const end = () => {
        this.#ears.delete(ears)
        ears.finish()
      }
      signal.addEventListener('abort', end, { once: true })
      return ears
    },
    warm: async () => void this.#talk.session.open(),
  }

  readonly synthesizer: RealtimeMind['synthesizer'] = {
    // What was heard of an answer is estimated by the length of its sound.
    abilities: { clauseEnds: false, wordTimes: false, languages: 'any', readsFigures: true },
    open: (options, signal) => new RealtimeVoice(this, options, signal),
  }

  readonly model: LanguageModel = {
    reply: (request, signal) => {
      if (this.#gone) throw this.#gone
      return request.isAside ? this.#askAside(request, signal) : lastingReply(this, request, signal)
    },
  }

  close(): void {
    this.#talk.session.close()
  }

  ask(request: ModelRequest, said: string): RealtimeAnswer {
    const { responses, conversation } = this.#talk
    const response = new OpenAiResponse(this.#options.model)
    this.#playable = [...this.#playable, response].slice(-mostPlayable)
    return responses.ask({
      response,
      where: 'conversation',
      body: () => {
        conversation.tell(request, said, response)
        return { tool_choice: request.tools.length > 0 ? 'auto' : 'none' }
      },
    })
  }

  recover(error: unknown): boolean {
    // A response that failed leaves its session as it is; one that never came may be the session's fault.
    if (error instanceof VendorLate) this.#lose(error)
    return this.#gone === undefined
  }

  answerWith(words: string): SpokenAnswer | undefined {
    return this.#playable.findLast(
      ({ isClaimed, isCancelled, transcript }) => !isClaimed && !isCancelled && contains(transcript, words),
    )
  }

  sayExactly(words: string, options: SynthesizerOptions): SpokenAnswer {
    if (this.#gone || this.#isReadAloud) return this.readAloud(words, options)
    const response = new OpenAiResponse(this.#options.model, 'reading')
    return this.#talk.responses.ask({ response, where: 'aside', body: () => sayingExactly(words) })
  }

  readAloud(words: string, options: SynthesizerOptions): SpokenAnswer {
    // A voice that changes once is better than a wait before every sentence.
    this.#isReadAloud = true
    return new ReadAloud(words, this.#beside.synthesizer, options)
  }

  cancel(answer: SpokenAnswer): void {
    if (answer instanceof ReadAloud) answer.cancel()
    else this.#talk.responses.cancel(answer as OpenAiResponse)
  }

  /** A question of ours stays out of the conversation, and is answered in text. */
  async *#askAside({ messages }: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
    const { responses } = this.#talk
    const response = new OpenAiResponse(this.#options.model)
    const stop = () => responses.cancel(response)
    signal.addEventListener('abort', stop, { once: true })
    try {
      yield* responses.ask({ response, where: 'aside', body: () => writing(messages) }).parts
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  #newTalk(isPartial = false): Talk {
    const session = new OpenAiSession(this.#options, {
      onMessage: (message) => this.#take(message),
      onOld: () => {
        this.#isOld = true
        this.#renewIfIdle()
      },
      onEnd: (error) => this.#lose(error),
    })
    const send = (type: string, body?: object) => session.send(type, body)
    return {
      session,
      responses: new OpenAiResponses(send),
      conversation: new OpenAiConversation(send, isPartial),
    }
  }

  #take(message: OpenAiMessage): void {
    const { responses, conversation } = this.#talk
    const isOfResponse = responses.take(message)
    if (message.type === 'session.created') this.#refusals = 0
    if (message.type === 'input_audio_buffer.committed') conversation.committed(message.item_id)
    if (message.error?.code === 'input_audio_buffer_commit_empty') conversation.committed()
    if (!isOfResponse) for (const ears of this.#ears) ears.take(message)
    this.#renewIfIdle()
  }

  /** Another session, before the server ends this one in the middle of a sentence. */
  #renewIfIdle(): void {
    const { session, responses, conversation } = this.#talk
    const isBusy = conversation.hasSound || [...this.#ears].some((ears) => ears.isBusy)
    if (!this.#isOld || isBusy || !responses.isIdle) return
    this.#isOld = false
    session.close()
    this.#talk = this.#newTalk()
    this.#talk.session.open()
  }

  /** The session is of no use any more; the next one is opened by whoever needs it. */
  #lose(error: Error): void {
    if (this.#gone) return
    const { session, responses, conversation } = this.#talk
    session.close()
    this.#isOld = false
    this.#refusals += session.hasBegun ? 0 : 1
    this.#talk = this.#newTalk(conversation.hasSound)
    if (this.#refusals < mostRefusals)
      this.#beside.onNote(
        `${this.#options.model} goes on in a new session, which is told what was said so far: ${error.message}`,
      )
    else {
      this.#gone = error
      this.#beside.onGone(error)
    }
    responses.breakOff(error)
    for (const ears of this.#ears) ears.fail(error)
  }
}
