// OpenAI's realtime models as a mind that hears and speaks itself.
import type { ChatMessage, LanguageModel, ModelRequest } from '../../ports/language-model.ts'
import type { RealtimeMind, RealtimeOptions } from '../../ports/realtime-mind.ts'
import { contains, instructionsIn, RealtimeVoice, type VoiceParts } from '../over/realtime/voice.ts'
import { OpenAiResponse } from './realtime-response.ts'
import { type OpenAiMessage, OpenAiSession } from './realtime-session.ts'
import { OpenAiEars } from './realtime-transcript.ts'

export const openAiRealtime = (options: RealtimeOptions): RealtimeMind => new OpenAiRealtime(options)

/** Errors about something that is over already; the conversation goes on. */
const harmless = new Set([
  'response_cancel_not_active',
  'input_audio_buffer_commit_empty',
  'item_truncate_invalid_item_id',
])

class OpenAiRealtime implements RealtimeMind, VoiceParts<OpenAiResponse> {
  readonly #options: RealtimeOptions
  readonly #session: OpenAiSession
  readonly #ears = new Set<OpenAiEars>()
  /** By our own number, which comes back in `metadata`, then by the server's id. */
  readonly #asked = new Map<string, OpenAiResponse>()
  readonly #answering = new Map<string, OpenAiResponse>()
  /** Answers of the conversation itself, the newest last. */
  readonly #answers: OpenAiResponse[] = []
  #number = 0
  #told = ''
  /** How many messages of the conversation the server knows. */
  #known = 0
  /** The caller was heard since the last answer. */
  #wasHeard = false

  constructor(options: RealtimeOptions) {
    this.#options = options
    this.#session = new OpenAiSession(options, {
      onMessage: (message) => this.#take(message),
      onEnd: (error) => this.#fail(error),
    })
  }

  readonly transcriber: RealtimeMind['transcriber'] = {
    abilities: { ownEndpointing: false, eagerFinals: false, keyterms: false, languages: 'any' },
    open: ({ rateHz }, signal) => {
      this.#session.open()
      const ears = new OpenAiEars(this.#session, rateHz, () => {
        this.#wasHeard = true
      })
      this.#ears.add(ears)
      signal.addEventListener(
        'abort',
        () => {
          this.#ears.delete(ears)
          ears.finish()
        },
        { once: true },
      )
      return ears
    },
    warm: async () => void this.#session.open(),
  }

  readonly synthesizer: RealtimeMind['synthesizer'] = {
    // What was heard of an answer is estimated by the length of its sound.
    abilities: { clauseEnds: false, wordTimes: false, languages: 'any', readsFigures: true },
    open: (options, signal) => new RealtimeVoice(this, options, signal),
  }

  readonly model: LanguageModel = { reply: (request, signal) => this.#reply(request, signal) }

  close(): void {
    this.#session.close()
  }

  answerWith(words: string): OpenAiResponse | undefined {
    return this.#answers.findLast((answer) => !answer.isClaimed && contains(answer.transcript, words))
  }

  sayExactly(words: string): OpenAiResponse {
    return this.#ask({
      conversation: 'none',
      input: [],
      tool_choice: 'none',
      instructions: `Say the following word for word, and nothing else: ${words}`,
    })
  }

  cancel(response: OpenAiResponse): void {
    if (!response.isOver && response.id) this.#session.send('response.cancel', { response_id: response.id })
  }

  async *#reply(request: ModelRequest, signal: AbortSignal): ReturnType<LanguageModel['reply']> {
    const response = request.isAside ? this.#askAside(request) : this.#askTurn(request)
    const stop = () => this.cancel(response)
    signal.addEventListener('abort', stop, { once: true })
    try {
      for await (const part of response.parts) {
        if (signal.aborted && part.type !== 'usage') continue
        yield part
      }
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  #askTurn({ messages, tools }: ModelRequest): OpenAiResponse {
    this.#tell(messages, tools)
    this.#cutOff(messages)
    this.#catchUp(messages)
    const response = this.#ask({ tool_choice: tools.length > 0 ? 'auto' : 'none' })
    this.#answers.push(response)
    return response
  }

  /** Asks a question of ours, which stays out of the conversation and is answered in text. */
  #askAside({ messages }: ModelRequest): OpenAiResponse {
    return this.#ask({
      conversation: 'none',
      output_modalities: ['text'],
      tool_choice: 'none',
      instructions: messages.at(-1)?.content ?? '',
    })
  }

  #ask(response: object): OpenAiResponse {
    const number = String(++this.#number)
    const asked = new OpenAiResponse(this.#options.model)
    this.#asked.set(number, asked)
    this.#session.send('response.create', { response: { ...response, metadata: { number } } })
    return asked
  }

  /** Sends prompt and tools when they have changed. */
  #tell(messages: readonly ChatMessage[], tools: ModelRequest['tools']): void {
    const session = {
      type: 'realtime',
      instructions: instructionsIn(messages),
      tools: tools.map(({ name, description, parameters }) => ({
        type: 'function',
        name,
        description,
        parameters,
      })),
    }
    const told = JSON.stringify(session)
    if (told === this.#told) return
    this.#told = told
    this.#session.send('session.update', { session })
  }

  /** The model is told how much of its last answer was heard. */
  #cutOff(messages: readonly ChatMessage[]): void {
    const last = this.#answers.at(-1)
    const heard = messages.findLast(({ role }) => role === 'assistant')?.content ?? ''
    if (!last?.itemId || heard.length >= last.transcript.length || !contains(last.transcript, heard)) return
    const share = last.transcript.length === 0 ? 0 : heard.length / last.transcript.length
    this.#session.send('conversation.item.truncate', {
      item_id: last.itemId,
      content_index: 0,
      audio_end_ms: Math.floor(last.soundMs * share),
    })
    last.itemId = undefined
  }

  /** Tells the model what it has not heard or said itself: its greeting, keys that were pressed, what tools have answered. */
  #catchUp(messages: readonly ChatMessage[]): void {
    const said = messages.filter(({ role }) => role !== 'system')
    for (const message of said.slice(this.#known)) {
      const item = this.#itemOf(message)
      if (item) this.#session.send('conversation.item.create', { item })
    }
    this.#known = said.length
    this.#wasHeard = false
  }

  #itemOf({ role, content, toolCallId, toolCalls }: ChatMessage): object | undefined {
    if (role === 'tool') return { type: 'function_call_output', call_id: toolCallId, output: content }
    if (role === 'user')
      return this.#wasHeard && !content.startsWith('pressed ')
        ? undefined
        : { type: 'message', role, content: [{ type: 'input_text', text: content }] }
    const isOwn = toolCalls || this.#answers.some(({ transcript }) => contains(transcript, content))
    return isOwn || !content
      ? undefined
      : { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: content }] }
  }

  #take(message: OpenAiMessage): void {
    const { type, response, response_id: id, error } = message
    if (type === 'error') {
      for (const ears of this.#ears) ears.take(message)
      if (!harmless.has(error?.code ?? '')) this.#refuse(error?.message ?? 'no reason was given')
      return
    }
    const number = response?.metadata?.number
    if (type === 'response.created' && response && number !== undefined) {
      const asked = this.#asked.get(number)
      this.#asked.delete(number)
      if (asked) {
        asked.id = response.id
        this.#answering.set(response.id, asked)
      }
      return
    }
    const answering = this.#answering.get(id ?? response?.id ?? '')
    if (!answering) for (const ears of this.#ears) ears.take(message)
    answering?.take(message)
    if (type === 'response.done' && response) this.#answering.delete(response.id)
  }

  /** The server did not take the last request. */
  #refuse(reason: string): void {
    const error = new Error(`OpenAI refused: ${reason}`)
    for (const asked of this.#asked.values()) asked.end(error)
    this.#asked.clear()
  }

  #fail(error: Error): void {
    for (const response of [...this.#asked.values(), ...this.#answering.values()]) response.end(error)
    this.#asked.clear()
    this.#answering.clear()
    for (const ears of this.#ears) ears.fail(error)
  }
}
