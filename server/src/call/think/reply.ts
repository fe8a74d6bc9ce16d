// One reply: asks the model, splits its text into clauses, runs the tools it calls and asks again.
//
// A reply may be made before it is certain that the caller has finished. Text can be discarded, so it is produced at once; a
// tool call cannot be undone, so it waits until the turn is confirmed.
import type { PassageSource } from '../../ports/call.ts'
import type { TransferDestination } from '../../ports/call-plan.ts'
import type {
  ChatMessage,
  LanguageModel,
  ModelFailure,
  ModelUsage,
  ToolCall,
  ToolDescription,
} from '../../ports/language-model.ts'
import type { ToolBox } from '../../ports/tools.ts'
import type { Clock } from '../call-parts.ts'
import { faultSentence } from '../contain.ts'
import { callTools, destinationOf, isEndCall } from './call-tools.ts'
import { ClauseCutter } from './clauses.ts'
import { toolMessages } from './conversation.ts'
import { SaidBefore } from './said-before.ts'

export interface ReplyEvents {
  onClause(text: string): void
  onNode(nodeId: string): void
  onSources(sources: readonly PassageSource[]): void
  /** Reports that a part of an answer has arrived: text or a tool call, not necessarily words that can be spoken. */
  onToken(): void
  /** Reports the first words of the model, and again the first words after a tool. */
  onWords(): void
  /** Reports that nothing is said until a tool has answered, or until the model has read the answer. */
  onWait(what: 'tool' | 'model'): void
  onDone(): void
  /** `isFinal`: asking again now would not help. */
  onFailure(error: string, isFinal: boolean): void
  onHangUp(): void
  /** Reports that the caller is to be connected to a destination once everything has been said. */
  onTransfer(call: ToolCall, destination: number): void
  onTool(call: ToolCall, phase: 'started' | 'discarded'): void
  onToolResult(call: ToolCall, result: ToolResult): void
  onUsage(usage: ModelUsage): void
}

export interface ToolResult {
  readonly text: string
  readonly ok: boolean
  readonly startMs: number
}

export interface ReplyParts {
  readonly model: LanguageModel
  readonly tools: ToolBox
  /** The tools of the tool box, and those of the call. */
  readonly descriptions: readonly ToolDescription[]
  readonly transfers: readonly TransferDestination[]
  /** Words for a transfer about which the model says nothing. */
  readonly connecting: string
}

// Long enough for one model to time out and another to answer; after that the caller has hung up.
const firstWordMs = 13_000
// A caller waits less long in the middle of a sentence.
const silenceMs = 8_000
// Tools have time-outs of their own, of half a minute at most.
const toolPatienceMs = 35_000
// A model that keeps calling tools is made to speak.
const mostRounds = 5
// Six minutes of speech: not an answer but a runaway model.
const mostCharacters = 6_000

const sourceOf = ({ documentId, chunkId, title, score }: PassageSource): PassageSource => ({
  documentId,
  chunkId,
  title,
  score,
})

export class Reply {
  readonly #parts: ReplyParts
  readonly #clock: Clock
  readonly #events: ReplyEvents
  readonly #stop = new AbortController()
  readonly #confirmed = Promise.withResolvers<void>()
  readonly #cutter = new ClauseCutter()
  readonly #pending = new Set<ToolCall>()
  #waits: { readonly sinceMs: number; readonly forMs: number; readonly giveUp: () => void } | undefined
  #saidBefore = new SaidBefore([])
  #characters = 0
  #spoke = false
  #spokeInRound = false

  constructor(parts: ReplyParts, clock: Clock, events: ReplyEvents) {
    this.#parts = parts
    this.#clock = clock
    this.#events = events
  }

  async run(messages: readonly ChatMessage[]): Promise<void> {
    this.#saidBefore = new SaidBefore(messages)
    try {
      await this.#rounds(messages)
    } catch (error) {
      this.#fail(faultSentence(error), (error as ModelFailure | undefined)?.isFinal === true)
    }
  }

  confirm(): void {
    this.#confirmed.resolve()
  }

  discard(): void {
    if (this.#stop.signal.aborted) return
    this.#stop.abort()
    this.#waits = undefined
    for (const call of this.#pending) this.#events.onTool(call, 'discarded')
  }

  tick(): void {
    const waits = this.#waits
    if (!waits || this.#clock.nowMs - waits.sinceMs < waits.forMs) return
    this.#waits = undefined
    waits.giveUp()
  }

  async #rounds(first: readonly ChatMessage[]): Promise<void> {
    let messages = first
    for (let round = 1; ; round++) {
      const { text, calls } = await this.#ask(messages, round < mostRounds ? this.#parts.descriptions : [])
      if (this.#stop.signal.aborted) return
      if (calls.length === 0 || round === mostRounds) break
      for (const call of calls) this.#pending.add(call)
      await this.#confirmed.promise
      const results = await this.#runAll(calls)
      if (!results) return
      messages = [...messages, ...toolMessages(text, calls, results)]
    }
    if (!this.#spoke) throw new Error('The model said nothing.')
    this.#events.onDone()
  }

  async #ask(messages: readonly ChatMessage[], tools: readonly ToolDescription[]) {
    const { signal } = this.#stop
    const calls: ToolCall[] = []
    let text = ''
    this.#spokeInRound = false
    this.#wait(firstWordMs, () => this.#fail('The model did not answer in time.', true))
    for await (const part of this.#parts.model.reply({ messages, tools }, signal)) {
      if (part.type === 'usage') this.#events.onUsage(part)
      // A discarded request still reports its usage.
      if (signal.aborted || part.type === 'usage') continue
      if (part.type === 'node') {
        // A node is not a word yet: the wait for the first word goes on.
        this.#events.onNode(part.nodeId)
        continue
      }
      this.#wait(silenceMs, () => this.#fail('The model stopped in the middle of its answer.', false))
      if (part.type !== 'sources') this.#events.onToken()
      if (part.type === 'tool-call') calls.push(part.call)
      else if (part.type === 'sources') this.#events.onSources(part.passages.map(sourceOf))
      else {
        text += part.text
        this.#say(this.#cutter.push(part.text))
        this.#characters += part.text.length
        if (this.#characters > mostCharacters) break
      }
    }
    this.#waits = undefined
    if (!signal.aborted) this.#say(this.#cutter.flush())
    return { text, calls }
  }

  /** Runs the tools; undefined if the reply was discarded, so that nobody needs the results. */
  async #runAll(calls: readonly ToolCall[]): Promise<readonly string[] | undefined> {
    const results: string[] = []
    for (const call of calls) {
      if (this.#stop.signal.aborted) return undefined
      if (isEndCall(call)) {
        this.#pending.clear()
        this.#sayWaitingWords(call)
        this.#events.onToolResult(call, { text: 'The call ends.', ok: true, startMs: this.#clock.nowMs })
        this.#events.onHangUp()
        this.#events.onDone()
        return undefined
      }
      if (call.name === callTools.transfer && this.#parts.transfers.length > 0) {
        const destination = destinationOf(call, this.#parts.transfers)
        if (typeof destination === 'number') return this.#transfer(call, destination)
        this.#pending.delete(call)
        this.#events.onToolResult(call, { text: destination, ok: false, startMs: this.#clock.nowMs })
        results.push(destination)
      } else results.push(await this.#run(call))
    }
    return this.#stop.signal.aborted ? undefined : results
  }

  /** Ends the reply; the result of the transfer is reported when it is known. */
  #transfer(call: ToolCall, destination: number): undefined {
    this.#pending.clear()
    this.#events.onTool(call, 'started')
    const words = this.#parts.tools.waitingWords(call.name) ?? (this.#spoke ? '' : this.#parts.connecting)
    this.#say([...this.#cutter.push(words), ...this.#cutter.flush()])
    this.#events.onTransfer(call, destination)
    this.#events.onDone()
    return undefined
  }

  async #run(call: ToolCall): Promise<string> {
    const startMs = this.#clock.nowMs
    this.#events.onTool(call, 'started')
    this.#sayWaitingWords(call)
    this.#events.onWait('tool')
    const late = Promise.withResolvers<ToolResult>()
    const stop = new AbortController()
    this.#wait(toolPatienceMs, () => {
      stop.abort()
      late.resolve({ text: 'The tool did not answer in time.', ok: false, startMs })
    })
    const signal = AbortSignal.any([stop.signal, this.#stop.signal])
    const result = await Promise.race([late.promise, this.#asked(call, signal, startMs)])
    this.#waits = undefined
    if (this.#stop.signal.aborted) return ''
    this.#pending.delete(call)
    this.#events.onToolResult(call, result)
    this.#events.onWait('model')
    return result.text
  }

  async #asked(call: ToolCall, signal: AbortSignal, startMs: number): Promise<ToolResult> {
    try {
      return { text: await this.#parts.tools.run(call, signal), ok: true, startMs }
    } catch (error) {
      return { text: faultSentence(error), ok: false, startMs }
    }
  }

  #sayWaitingWords({ name }: ToolCall): void {
    const words = this.#parts.tools.waitingWords(name)
    if (words) this.#say([words])
  }

  #say(clauses: readonly string[]): void {
    for (const clause of clauses.map((one) => this.#saidBefore.newIn(one))) {
      this.#spoke = true
      if (clause === '') continue
      if (!this.#spokeInRound) this.#events.onWords()
      this.#spokeInRound = true
      this.#events.onClause(clause)
    }
  }

  #wait(forMs: number, giveUp: () => void): void {
    this.#waits = { sinceMs: this.#clock.nowMs, forMs, giveUp }
  }

  #fail(error: string, isFinal: boolean): void {
    if (this.#stop.signal.aborted) return
    this.discard()
    this.#events.onFailure(error, isFinal)
  }
}
