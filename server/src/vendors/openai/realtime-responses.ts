// The responses that one session was asked for. The server writes one at a time into the conversation and refuses another
// until it has said that the last one is done; a response has an id only when the server says that it has begun.
import { account } from './account.ts'
import type { OpenAiResponse } from './realtime-response.ts'
import type { OpenAiMessage } from './realtime-session.ts'

export interface ResponseRequest {
  readonly response: OpenAiResponse
  /** `aside`: it is not written into the conversation, and may be made at any time. */
  readonly where: 'conversation' | 'aside'
  /** What is asked for, once it can be. */
  body(): object
}

/** Errors about something that is over already, or about an item that is not there; the conversation goes on. */
const harmless = /^(?:response_cancel_not_active|input_audio_buffer_commit_empty)$|(?:^|_)item_/

export class OpenAiResponses {
  readonly #send: (type: string, body?: object) => void
  readonly #waiting: ResponseRequest[] = []
  /** By our own number, which comes back in `metadata` and in errors. */
  readonly #asked = new Map<string, ResponseRequest>()
  /** By the server's id. */
  readonly #begun = new Map<string, ResponseRequest>()
  /** The one that is written into the conversation. */
  #current: ResponseRequest | undefined
  #number = 0

  constructor(send: (type: string, body?: object) => void) {
    this.#send = send
  }

  /** Whether nothing is waited for. */
  get isIdle(): boolean {
    return this.#all().every(({ response }) => response.isOver)
  }

  ask(request: ResponseRequest): OpenAiResponse {
    if (request.where === 'conversation' && this.#current) this.#waiting.push(request)
    else this.#begin(request)
    return request.response
  }

  cancel(response: OpenAiResponse): void {
    if (response.isOver || response.isCancelled) return
    response.isCancelled = true
    const place = this.#waiting.findIndex((request) => request.response === response)
    if (place >= 0) {
      this.#waiting.splice(place, 1)
      response.complete()
    } else if (response.id !== undefined) this.#send('response.cancel', { response_id: response.id })
  }

  /** Takes a message about a response; false: it is about something else. */
  take(message: OpenAiMessage): boolean {
    const { type, response, response_id: id = response?.id } = message
    if (type === 'error') return this.#refuse(message.error)
    if (type === 'response.created') {
      this.#created(response)
      return true
    }
    const request = id === undefined ? undefined : this.#begun.get(id)
    request?.response.take(message)
    if (type === 'response.done' && id !== undefined) {
      this.#begun.delete(id)
      if (!request || request === this.#current) this.#next()
    }
    return request !== undefined
  }

  /** Nothing comes of them any more. */
  breakOff(error: Error): void {
    const all = this.#all()
    this.#asked.clear()
    this.#begun.clear()
    this.#waiting.length = 0
    this.#current = undefined
    for (const { response } of all) response.breakOff(error)
  }

  #all(): readonly ResponseRequest[] {
    return [...this.#begun.values(), ...this.#asked.values(), ...this.#waiting]
  }

  #begin(request: ResponseRequest): void {
    const number = String(++this.#number)
    if (request.where === 'conversation') this.#current = request
    this.#asked.set(number, request)
    const body = request.body()
    this.#send('response.create', { event_id: number, response: { ...body, metadata: { number } } })
  }

  #created(response: OpenAiMessage['response']): void {
    const number = response?.metadata?.number ?? ''
    const request = this.#asked.get(number)
    if (!request || !response) return
    this.#asked.delete(number)
    request.response.id = response.id
    this.#begun.set(response.id, request)
    if (request.response.isCancelled) this.#send('response.cancel', { response_id: response.id })
  }

  #next(): void {
    this.#current = undefined
    const next = this.#waiting.shift()
    if (next) this.#begin(next)
  }

  #refuse(error: OpenAiMessage['error']): boolean {
    const { code, message, event_id: number } = error ?? {}
    if (harmless.test(code ?? '')) return false
    const refused = this.#asked.get(number ?? '')
    if (refused && code === 'conversation_already_has_active_response') {
      // Asked again when the other one, whichever it is, is done.
      this.#asked.delete(number ?? '')
      this.#current = undefined
      this.#waiting.unshift(refused)
      return true
    }
    const reason = new Error(`${account.label} refused: ${message ?? 'no reason was given'}`)
    for (const [key, request] of this.#asked)
      if (!refused || request === refused) {
        this.#asked.delete(key)
        if (request === this.#current) this.#current = undefined
        request.response.breakOff(reason)
      }
    if (!this.#current) this.#next()
    return true
  }
}
