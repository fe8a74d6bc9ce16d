// The conversation of one session, as its server knows it: instructions, tools and items. A session that takes the place of
// another is told all that was said before.
import { randomUUID } from 'node:crypto'
import type { ChatMessage, ModelRequest } from '../../ports/language-model.ts'
import { instructionsIn, messagesSince, withoutInstructions } from '../over/realtime/messages.ts'
import { contains } from '../over/realtime/same-words.ts'
import type { OpenAiResponse } from './realtime-response.ts'

type Send = (type: string, body?: object) => void

const goOn = 'Your last answer broke off. Go on exactly where it stopped, and repeat nothing of it.'

export class OpenAiConversation {
  readonly #send: Send
  #told = ''
  /** The messages of the last request. */
  #known: readonly ChatMessage[] = []
  /** The answers since then; the server has their words. */
  #answers: OpenAiResponse[] = []
  /** The items of the caller's sound since then, as far as the server has told them. */
  #sound: string[] = []
  /** Sound whose items the server has still to tell: of this turn, and of the one that was asked about. */
  #commits = { ofTurn: 0, late: 0 }
  /** A part of what the caller says was heard in an earlier session. */
  #isPartial: boolean
  /** The last item before what the caller says now. */
  #place = 'root'

  constructor(send: Send, isPartial = false) {
    this.#send = send
    this.#isPartial = isPartial
  }

  /** Whether there is sound of the caller that was not answered. */
  get hasSound(): boolean {
    return this.#sound.length + this.#commits.ofTurn > 0 || this.#isPartial
  }

  /** The server was asked to take what the caller has said as an item. */
  commit(): void {
    this.#commits.ofTurn++
  }

  /** The item, or none if nothing had been said. */
  committed(itemId?: string): void {
    const isLate = this.#commits.late > 0
    this.#commits[isLate ? 'late' : 'ofTurn']--
    if (itemId === undefined) return
    if (isLate) this.#place = itemId
    else this.#sound.push(itemId)
  }

  /** Tells what has come since the last request; `said`: of an answer to this one that broke off. */
  tell({ messages, tools }: ModelRequest, said: string, response: OpenAiResponse): void {
    this.#instruct(messages, tools)
    const all = withoutInstructions(messages)
    const fresh = messagesSince(this.#known, all)
    if (!said) this.#cutOff(fresh)
    this.#catchUp(fresh)
    if (said) {
      if (!this.#answers.some(({ transcript }) => contains(transcript, said)))
        this.#add({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: said }] })
      this.#add({ type: 'message', role: 'system', content: [{ type: 'input_text', text: goOn }] })
    }
    this.#known = all
    this.#answers = [response]
    this.#place = this.#sound.at(-1) ?? this.#place
    this.#sound = []
    this.#commits = { ofTurn: 0, late: this.#commits.late + this.#commits.ofTurn }
    this.#isPartial = false
  }

  /** Sends prompt and tools when they have changed. */
  #instruct(messages: readonly ChatMessage[], tools: ModelRequest['tools']): void {
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
    this.#send('session.update', { session })
  }

  /** The model is told how much of its last answer was heard. */
  #cutOff(fresh: readonly ChatMessage[]): void {
    const last = this.#answers.at(-1)
    if (!last?.itemId || last.soundMs === 0) return
    const { transcript } = last
    const said = fresh.flatMap(({ role, content }) => (role === 'assistant' && content ? [content] : []))
    if (said.some((content) => contains(content, transcript))) return
    const heard = said.findLast((content) => contains(transcript, content)) ?? ''
    this.#send('conversation.item.truncate', {
      item_id: last.itemId,
      content_index: 0,
      audio_end_ms: Math.floor((last.soundMs * heard.length) / transcript.length),
    })
  }

  /**
   * Tells the model what it has not heard or said itself: its greeting, keys that were pressed, what tools have answered.
   * What came before the caller's sound is put before it.
   */
  #catchUp(fresh: readonly ChatMessage[]): void {
    const isHeard = this.hasSound && !this.#isPartial
    if (!isHeard) for (const item_id of this.#sound) this.#send('conversation.item.delete', { item_id })
    const turn = isHeard ? fresh.findLastIndex(isSpoken) : -1
    let place: string | undefined = this.#answers.at(-1)?.itemId ?? this.#place
    fresh.forEach((message, n) => {
      if (n === turn) return
      for (const item of this.#itemsOf(message)) {
        const id: string = this.#add(item, n < turn ? place : undefined)
        if (n < turn) place = id
      }
    })
    if (!isHeard) this.#sound = []
  }

  #itemsOf({ role, content, toolCallId, toolCalls }: ChatMessage): readonly object[] {
    if (role === 'tool') return [{ type: 'function_call_output', call_id: toolCallId, output: content }]
    if (role === 'user') return [{ type: 'message', role, content: [{ type: 'input_text', text: content }] }]
    const isOwn = this.#answers.some(
      ({ transcript }) => transcript && (contains(transcript, content) || contains(content, transcript)),
    )
    const calls = (toolCalls ?? []).filter(({ id }) => !this.#answers.some((one) => one.hasCalled(id)))
    return [
      ...(content && !isOwn
        ? [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: content }] }]
        : []),
      ...calls.map(({ id, name, arguments: written }) => ({
        type: 'function_call',
        call_id: id,
        name,
        arguments: written,
      })),
    ]
  }

  /** Adds an item at the end, or after another; returns its id. */
  #add(item: object, after?: string): string {
    const id = `item_${randomUUID().replaceAll('-', '').slice(0, 20)}`
    this.#send('conversation.item.create', {
      item: { id, ...item },
      ...(after !== undefined && { previous_item_id: after }),
    })
    if (after === undefined) this.#place = id
    return id
  }
}

/** What the caller pressed was not heard. */
const isSpoken = ({ role, content }: ChatMessage): boolean =>
  role === 'user' && !content.startsWith('pressed ')
