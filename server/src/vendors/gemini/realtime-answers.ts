// The answers of a Gemini Live conversation, from its messages: which belongs to which is told by their order alone.
import type { ChatMessage } from '../../ports/language-model.ts'
import { RealtimeAnswer, type SpokenAnswer } from '../over/realtime/answer.ts'
import { contains } from '../over/realtime/same-words.ts'
import { account } from './account.ts'
import type { GeminiMessage } from './realtime-session.ts'

const wireRateHz = 24_000
// Another model serves a caller better than a longer wait.
const patienceMs = 4_000
// An answer is played within the turn it belongs to, or never.
const mostPlayable = 8

export class GeminiAnswers {
  readonly #model: string
  /** Answers whose sound may be wanted, the newest last. */
  #playable: RealtimeAnswer[] = []
  /** What the model has said since it was last told anything. */
  #own: RealtimeAnswer[] = []
  /** The functions that were called and not answered, by the ids of the calls. */
  readonly #calls = new Map<string, string>()
  #current: RealtimeAnswer | undefined
  /** An answer was dropped, and the server has not said that it stopped. */
  #isStale = false
  /** The end of an earlier turn is still to come: the server waits until it should have been played. */
  #owesEnd = false
  #usage: NonNullable<GeminiMessage['usageMetadata']> | undefined

  constructor(model: string) {
    this.#model = model
  }

  get last(): RealtimeAnswer | undefined {
    return this.#own.at(-1)
  }

  begin(): RealtimeAnswer {
    this.#current = new RealtimeAnswer({ label: account.label, wireRateHz, patienceMs })
    this.#playable = [...this.#playable, this.#current].slice(-mostPlayable)
    this.#own = [this.#current]
    return this.#current
  }

  /** Another connection begins, over which nothing of an earlier answer comes. */
  connect(): void {
    this.#isStale = false
    this.#owesEnd = false
  }

  /** The server knows nothing of what was said: it is another conversation. */
  forget(): void {
    this.#own = []
    this.#calls.clear()
  }

  /** Stops an answer; false: it is over already. */
  drop(answer: SpokenAnswer): boolean {
    if (answer !== this.#current) return false
    this.#current = undefined
    this.#isStale = true
    ;(answer as RealtimeAnswer).drop()
    return true
  }

  /** The answer that contains these words, if its sound has not been played yet. */
  with(words: string): SpokenAnswer | undefined {
    return this.#playable.findLast(
      ({ isClaimed, isDropped, transcript }) => !isClaimed && !isDropped && contains(transcript, words),
    )
  }

  /** Whether these are words of the model, or begin or end with them. */
  said(words: string): boolean {
    return this.#own.some(
      ({ transcript }) => transcript && (contains(transcript, words) || contains(words, transcript)),
    )
  }

  /** How much was heard of an answer that was interrupted, in words; undefined: all of it, as far as is known. */
  cutOff(answer: RealtimeAnswer | undefined, messages: readonly ChatMessage[]): string | undefined {
    const heard = messages.findLast(({ role }) => role === 'assistant')?.content ?? ''
    if (!answer || answer !== this.last || heard.length >= answer.transcript.trim().length) return undefined
    return contains(answer.transcript, heard) ? heard : undefined
  }

  /** What tools have answered to calls that the model waits for. */
  resultsIn(messages: readonly ChatMessage[]): readonly object[] {
    return messages.flatMap(({ role, toolCallId = '', content }) => {
      const name = role === 'tool' ? this.#calls.get(toolCallId) : undefined
      this.#calls.delete(toolCallId)
      return name === undefined ? [] : [{ id: toolCallId, name, response: { output: content } }]
    })
  }

  take({ serverContent: content, toolCall, usageMetadata }: GeminiMessage): void {
    if (usageMetadata) this.#usage = usageMetadata
    if (content) this.#takeContent(content)
    if (!toolCall || this.#isStale) return
    for (const { id, name, args = {} } of toolCall.functionCalls) {
      this.#calls.set(id, name)
      this.#current?.addCall({ id, name, arguments: JSON.stringify(args) })
    }
    this.#finish()
  }

  breakOff(error: Error): void {
    const broken = this.#current
    this.#current = undefined
    broken?.breakOff(error)
  }

  #takeContent(content: NonNullable<GeminiMessage['serverContent']>): void {
    const { modelTurn, outputTranscription, interrupted, generationComplete, turnComplete } = content
    const isOver = interrupted || generationComplete
    if (this.#isStale) {
      if (isOver || turnComplete) this.#isStale = false
      this.#owesEnd = !turnComplete
      return
    }
    for (const { inlineData } of modelTurn?.parts ?? [])
      if (inlineData) this.#current?.addSound(Buffer.from(inlineData.data, 'base64'))
    if (outputTranscription?.text) this.#current?.addWords(outputTranscription.text)
    const isLate = turnComplete && this.#owesEnd && !isOver && !this.#current?.transcript
    if (isOver || (turnComplete && !isLate)) this.#finish()
    if (isOver || turnComplete) this.#owesEnd = !turnComplete
  }

  #finish(): void {
    const answer = this.#current
    if (!answer) return
    this.#current = undefined
    const usage = this.#usage
    this.#usage = undefined
    if (usage)
      answer.addUsage({
        provider: 'gemini',
        model: this.#model,
        isAborted: false,
        inputTokens: usage.promptTokenCount ?? 0,
        outputTokens: usage.responseTokenCount ?? 0,
        cachedTokens: usage.cachedContentTokenCount ?? 0,
        cacheWriteTokens: 0,
      })
    answer.complete()
  }
}
