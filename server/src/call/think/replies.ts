// All requests to the model under way, by generation: replies, and the question whether the conversation has ended.
import type { ChatMessage } from '../../ports/language-model.ts'
import type { Clock } from '../call-parts.ts'
import { Reply, type ReplyEvents, type ReplyParts } from './reply.ts'

export class Replies {
  readonly #parts: ReplyParts
  readonly #clock: Clock
  readonly #replies = new Map<number, Reply>()
  #judging: AbortController | undefined
  #summing: AbortController | undefined

  constructor(parts: ReplyParts, clock: Clock) {
    this.#parts = parts
    this.#clock = clock
  }

  think(generation: number, messages: readonly ChatMessage[], events: ReplyEvents): void {
    const forget = () => this.#replies.delete(generation)
    const reply = new Reply(this.#parts, this.#clock, {
      ...events,
      onDone: () => {
        forget()
        events.onDone()
      },
      onFailure: (error, isFinal) => {
        forget()
        events.onFailure(error, isFinal)
      },
    })
    this.#replies.set(generation, reply)
    void reply.run(messages)
  }

  /** Lets the tools of a reply run. */
  confirm(generation: number): void {
    this.#replies.get(generation)?.confirm()
  }

  discard(generation: number): void {
    this.#replies.get(generation)?.discard()
    this.#replies.delete(generation)
  }

  tick(): void {
    if (this.#replies.size === 0) return
    for (const reply of this.#replies.values()) reply.tick()
  }

  /** A model that fails here does not end the call. The next question replaces this one. */
  async judge(
    question: string,
    messages: readonly ChatMessage[],
    onUsage: ReplyEvents['onUsage'],
  ): Promise<boolean> {
    const { model } = this.#parts
    this.#judging?.abort()
    this.#judging = new AbortController()
    const { signal } = this.#judging
    const content = `${question}\nRead the conversation and answer with one word: yes or no.`
    try {
      // Awaited, so that a promise (which it must not return) is caught here as well.
      if (model.isOver) return await model.isOver(messages)
      const answer = await this.#askAside(content, messages, signal, onUsage)
      return !signal.aborted && /^\W*yes\b/i.test(answer)
    } catch {
      return false
    }
  }

  /** Summarises what the caller wants for the person who takes over the call; empty if the model cannot in time. */
  async summarise(messages: readonly ChatMessage[], onUsage: ReplyEvents['onUsage']): Promise<string> {
    // The built-in policy does not follow instructions.
    if (this.#parts.model.isOver) return ''
    this.#summing?.abort()
    this.#summing = new AbortController()
    const { signal } = this.#summing
    const summary = await this.#askAside(summaryRequest, messages, signal, onUsage).catch(() => '')
    return summary.replace(/\s+/g, ' ').trim().slice(0, mostSummary)
  }

  discardAll(): void {
    this.#summing?.abort()
    this.#judging?.abort()
    for (const generation of [...this.#replies.keys()]) this.discard(generation)
  }

  /** Asks the model about the conversation. Rejects when the model fails. */
  async #askAside(
    content: string,
    conversation: readonly ChatMessage[],
    signal: AbortSignal,
    onUsage: ReplyEvents['onUsage'],
  ): Promise<string> {
    const messages: ChatMessage[] = [{ role: 'system', content }, asked(conversation)]
    let answer = ''
    for await (const part of this.#parts.model.reply({ messages, tools: [], isAside: true }, signal)) {
      if (part.type === 'text') answer += part.text
      if (part.type === 'usage') onUsage(part)
    }
    return answer
  }
}

/** The conversation as one text. */
const asked = (messages: readonly ChatMessage[]): ChatMessage => ({
  role: 'user',
  content: messages
    .filter(({ role, content }) => content && (role === 'user' || role === 'assistant'))
    .map(({ role, content }) => `${role === 'user' ? 'Caller' : 'Agent'}: ${content}`)
    .join('\n'),
})

// Two sentences: the target of the transfer waits in silence for the question.
const mostSummary = 400
const summaryRequest =
  'A caller is being transferred to a colleague of yours. Read the conversation and tell the colleague in one or two short sentences who is calling and what about. Say only that.'
