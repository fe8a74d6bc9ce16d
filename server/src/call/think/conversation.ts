// The conversation so far: the transcript that is kept, and the messages that the model reads.
import type { TimedPart, TranscriptEntry } from '../../ports/call.ts'
import type { ChatMessage, ToolCall } from '../../ports/language-model.ts'
import type { HeardWord } from '../../ports/transcriber.ts'

// About eight thousand tokens: what is older than half an hour matters less than the space it takes.
const readCharacters = 32_000

export interface Span {
  readonly startMs: number
  readonly endMs: number
}

export class Conversation {
  readonly heardWords = new HeardWords()
  readonly #onEntry: (entry: TranscriptEntry) => void
  readonly #entries: TranscriptEntry[] = []
  /** The tool calls behind the tool entries, as the model wrote them. */
  readonly #calls = new Map<TranscriptEntry, ToolCall>()
  /** The greeting belongs to turn 0; each turn of the caller begins the next. */
  #turn = 0
  #answeredMs = 0

  constructor(onEntry: (entry: TranscriptEntry) => void) {
    this.#onEntry = onEntry
  }

  begin(answeredMs: number): void {
    this.#answeredMs = answeredMs
  }

  /** Continues the transcript of an earlier part of the call. The model does not read the answers of its tools. */
  continue(earlier: readonly TranscriptEntry[]): void {
    this.#entries.push(...earlier)
    this.#turn = earlier.at(-1)?.turn ?? 0
  }

  get turn(): number {
    return this.#turn
  }

  /** The entries in the order in which they began. */
  get entries(): readonly TranscriptEntry[] {
    return this.#entries.toSorted((one, other) => one.startSeconds - other.startSeconds)
  }

  callerSaid(content: string, span: Span): void {
    this.#turn++
    const parts = this.#timed(this.heardWords.timesOf(content, span))
    this.#add({ role: 'user', content, interrupted: false, ...parts }, span)
  }

  /** Corrects the caller's last entry. */
  callerMeant(content: string): void {
    const place = this.#entries.findLastIndex(({ role }) => role === 'user')
    const entry = this.#entries[place]
    if (!entry) return
    const { parts: _, ...others } = entry
    const span = { startMs: this.#ms(entry.startSeconds), endMs: this.#ms(entry.endSeconds) }
    const parts = this.#timed(this.heardWords.timesOf(content, span))
    this.#entries[place] = { ...others, content, ...parts }
  }

  agentSaid(
    content: string,
    span: Span,
    how: Pick<TranscriptEntry, 'interrupted' | 'nodeId' | 'sources'>,
    pieces: readonly (Span & { readonly text: string })[] = [],
  ): void {
    if (content) this.#add({ role: 'agent', content, ...how, ...this.#timed(pieces) }, span)
  }

  toolAnswered(call: ToolCall, content: string, span: Span): void {
    const tool = { name: call.name, arguments: parsed(call.arguments) }
    this.#calls.set(this.#add({ role: 'tool', content, interrupted: false, tool }, span), call)
  }

  /** The newest messages that fit; `ahead` are words of the caller that are not an entry yet. */
  messages(ahead = ''): readonly ChatMessage[] {
    const messages: ChatMessage[] = ahead ? [{ role: 'user', content: ahead }] : []
    let characters = 0
    for (const entry of this.#entries.toReversed()) {
      characters += entry.content.length
      if (characters > readCharacters) break
      messages.push(...this.#read(entry).toReversed())
    }
    return messages.reverse().reduce(joinCaller, [])
  }

  #read(entry: TranscriptEntry): readonly ChatMessage[] {
    if (entry.role === 'user') return [{ role: 'user', content: entry.content }]
    if (entry.role === 'agent') return [{ role: 'assistant', content: entry.content }]
    const call = this.#calls.get(entry)
    return call ? toolMessages('', [call], [entry.content]) : []
  }

  #add(
    words: Pick<
      TranscriptEntry,
      'role' | 'content' | 'interrupted' | 'nodeId' | 'sources' | 'tool' | 'parts'
    >,
    span: Span,
  ): TranscriptEntry {
    const entry = {
      turn: this.#turn,
      ...words,
      startSeconds: this.#seconds(span.startMs),
      endSeconds: this.#seconds(span.endMs),
    }
    this.#entries.push(entry)
    this.#onEntry(entry)
    return entry
  }

  #timed(pieces: readonly (Span & { readonly text: string })[]): { readonly parts?: readonly TimedPart[] } {
    const parts = pieces.map(({ text, startMs, endMs }) => ({
      text,
      startSeconds: this.#seconds(startMs),
      endSeconds: this.#seconds(endMs),
    }))
    return parts.length > 0 ? { parts } : {}
  }

  #ms(seconds: number): number {
    return this.#answeredMs + seconds * 1_000
  }

  #seconds(ms: number): number {
    return Math.max(0, Math.round(ms - this.#answeredMs)) / 1_000
  }
}

/** Two caller turns without an answer between them become one message. */
function joinCaller(messages: ChatMessage[], next: ChatMessage): ChatMessage[] {
  const last = messages.at(-1)
  if (last?.role !== 'user' || next.role !== 'user') return [...messages, next]
  return [...messages.slice(0, -1), { role: 'user', content: `${last.content} ${next.content}` }]
}

export const toolMessages = (
  content: string,
  toolCalls: readonly ToolCall[],
  results: readonly string[],
): readonly ChatMessage[] => [
  { role: 'assistant', content, toolCalls },
  ...toolCalls.map(
    (call, place): ChatMessage => ({
      role: 'tool',
      content: results[place] ?? '',
      toolCallId: call.id,
    }),
  ),
]

/** Unparseable arguments are kept as written. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

// Nobody says more words before they become an entry of the transcript.
const mostWords = 500
// A voice detector and a transcriber disagree a little on when a word begins and ends.
const apartMs = 1_000

/** The times of the caller's words, as far as the transcriber tells them. */
export class HeardWords {
  /** The words with times on the clock of the call. */
  #words: readonly HeardWord[] = []

  add(words: readonly HeardWord[]): void {
    this.#words = [...this.#words, ...words].slice(-mostWords)
  }

  /**
   * Finds the words of a text that was said last, with their times. Returns none unless every letter and digit of the
   * text belongs to a word that was said within the span, because personal data is cut out of recordings by these
   * times.
   */
  timesOf(text: string, span: Span): readonly HeardWord[] {
    const signs = [...text.matchAll(sign)]
    const matches: HeardWord[] = []
    let left = signs.length
    for (const word of this.#words.toReversed()) {
      if (left === 0) break
      const ofWord = [...word.text.matchAll(sign)].map(([letter]) => letter)
      const ofText = signs.slice(Math.max(0, left - ofWord.length), left)
      if (!isSame(ofWord, ofText) || !isWithin(word, span)) return []
      const [first, last] = [ofText[0], ofText.at(-1)]
      if (!first || !last) continue
      matches.unshift({ ...word, text: text.slice(first.index, last.index + last[0].length) })
      left -= ofWord.length
    }
    return left === 0 ? matches : []
  }
}

const isWithin = (word: Span, { startMs, endMs }: Span): boolean =>
  word.startMs >= startMs - apartMs && word.endMs > word.startMs && word.endMs <= endMs + apartMs

const sign = /[\p{L}\p{M}\p{N}]/gu

const isSame = (one: readonly string[], other: readonly RegExpExecArray[]): boolean =>
  one.length === other.length &&
  one.every((letter, place) => letter.toLowerCase() === other[place]?.[0].toLowerCase())
