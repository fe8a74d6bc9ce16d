// The turns of a Gemini Live conversation: the caller's sound, or a text, with what the model is to know beforehand.
import type { ChatMessage } from '../../ports/language-model.ts'
import type { GeminiAnswers } from './realtime-answers.ts'
import { type GeminiTurn, takesTurnsAnytime, turnOf } from './realtime-setup.ts'

const soundHz = 16_000
// Half a second in one message.
const framesPerMessage = 25

interface Turn {
  /** Whether the conversation begins with it. */
  readonly isNew: boolean
  /** What was said since the last turn that the model has not heard or said itself. */
  readonly told: readonly GeminiTurn[]
  /** Instructions that replace those of the setup. */
  readonly instructions: string | undefined
  /** What was heard of an answer that was interrupted. */
  readonly cut: string | undefined
  /** What tools have answered. */
  readonly results: readonly object[]
  /** What the caller has said; empty: it is asked in the words of `text`. */
  readonly sound: readonly Int16Array[]
  readonly text: string
}

export class GeminiTurns {
  readonly #takesTurnsAnytime: boolean
  readonly #send: (message: object) => void
  /** Whether an activity has begun and not ended. */
  #isActive = false

  constructor(model: string, send: (message: object) => void) {
    this.#takesTurnsAnytime = takesTurnsAnytime(model)
    this.#send = send
  }

  /** A connection begins. */
  begin(): void {
    this.#isActive = false
  }

  /** The model stops when the caller does something. */
  interrupt(): void {
    this.#beginActivity()
  }

  send(turn: Turn): void {
    const { isNew, told, instructions, cut, results, sound, text } = turn
    const notes = [
      ...(instructions === undefined ? [] : [turnOf('user', `Instructions from now on:\n${instructions}`)]),
      ...(isNew ? [] : told),
      ...(cut === undefined
        ? []
        : [turnOf('user', `(You were interrupted. What was heard of you: "${cut}")`)]),
    ]
    if (isNew) this.#tell(told, !this.#takesTurnsAnytime)
    if (this.#takesTurnsAnytime) this.#tell(notes, false)
    if (results.length > 0) this.#send({ toolResponse: { functionResponses: results } })
    else this.#say(this.#takesTurnsAnytime ? [] : notes, sound, text)
  }

  #tell(turns: readonly GeminiTurn[], turnComplete: boolean): void {
    if (turns.length > 0) this.#send({ clientContent: { turns: alternating(turns), turnComplete } })
  }

  #say(notes: readonly GeminiTurn[], sound: readonly Int16Array[], text: string): void {
    if (sound.length === 0 && this.#takesTurnsAnytime && !this.#isActive) {
      this.#tell([turnOf('user', text)], true)
      return
    }
    this.#beginActivity()
    for (const { role, parts } of notes)
      for (const note of parts) this.#sendText(role === 'user' ? note.text : `(You said: "${note.text}")`)
    if (sound.length > 0) this.#sendSound(sound)
    else this.#sendText(text)
    this.#isActive = false
    this.#send({ realtimeInput: { activityEnd: {} } })
  }

  #beginActivity(): void {
    if (!this.#isActive) this.#send({ realtimeInput: { activityStart: {} } })
    this.#isActive = true
  }

  #sendText(text: string): void {
    this.#send({ realtimeInput: { text } })
  }

  #sendSound(frames: readonly Int16Array[]): void {
    for (let at = 0; at < frames.length; at += framesPerMessage) {
      const bytes = frames.slice(at, at + framesPerMessage).map(({ buffer }) => Buffer.from(buffer))
      const audio = { data: Buffer.concat(bytes).toString('base64'), mimeType: `audio/pcm;rate=${soundHz}` }
      this.#send({ realtimeInput: { audio } })
    }
  }
}

/** Turns of the same side in a row are one turn of several parts. */
function alternating(turns: readonly GeminiTurn[]): readonly GeminiTurn[] {
  const joined: GeminiTurn[] = []
  for (const { role, parts } of turns) {
    const last = joined.at(-1)
    if (last?.role === role) joined[joined.length - 1] = { role, parts: [...last.parts, ...parts] }
    else joined.push({ role, parts })
  }
  return joined
}

/** What the model is asked in words; `said`: what was heard of an answer to the same turn that broke off. */
export function askedInWords(messages: readonly ChatMessage[], said: string): string {
  if (said) return '(Your last answer broke off. Go on exactly where it stopped, and repeat nothing of it.)'
  const last = messages.at(-1)
  if (last?.role === 'user') return last.content
  return messages.some(({ role }) => role === 'user') ? '(Go on.)' : 'The call begins.'
}

/**
 * The messages that the model has not heard or said itself: its greeting, keys that were pressed, an earlier part of the
 * call. In a conversation that begins these are all of them, with what tools have answered.
 */
export function geminiTurnsOf(
  messages: readonly ChatMessage[],
  answers: GeminiAnswers,
  { isNew, said }: { readonly isNew: boolean; readonly said: string },
): readonly GeminiTurn[] {
  const turns = messages.flatMap(({ role, content, toolCalls }): GeminiTurn[] => {
    if (role === 'tool') return isNew ? [turnOf('user', `(The function answered: ${content})`)] : []
    const calls = isNew ? (toolCalls ?? []) : []
    const called = calls.map((call) => turnOf('model', `(I called ${call.name} with ${call.arguments}.)`))
    if (!content || (toolCalls && !isNew) || (role === 'assistant' && answers.said(content))) return called
    return [turnOf(role === 'assistant' ? 'model' : 'user', content), ...called]
  })
  return said ? [...turns, turnOf('model', said)] : turns
}
