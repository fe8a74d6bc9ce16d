// Distinguishes the caller's voice from the agent's own echo.
//
// A voice that may be an echo is doubted: the agent keeps speaking until the voice is too loud for an echo, or has lasted
// several syllables without matching what the agent said.
import { EchoMeter } from '../../media/echo.ts'
import { frameMs } from '../../media/frame.ts'
import type { VoiceOwner } from './echo-words.ts'

export interface VoiceAttributionEvents {
  /** `sure`: the line is known to echo, and this is louder than its echo. */
  onCaller(placeMs: number, sure: boolean): void
  onQuiet(placeMs: number): void
  /** Reports that a voice which was the agent's own has ended. */
  onEchoEnd(): void
}

type Voice =
  | { readonly is: 'nobody' }
  | { readonly is: 'doubted' | 'agent'; readonly fromMs: number; readonly noticedMs: number }
  | { readonly is: 'caller'; readonly doubtUntilMs: number }

// An echo is recognized after some syllables; after this time a voice is believed.
const doubtMs = 600
// The words of a voice have arrived within this time.
const wordsWithinMs = 2_000

export class VoiceAttribution {
  readonly #events: VoiceAttributionEvents
  readonly #echo = new EchoMeter()
  #voice: Voice = { is: 'nobody' }
  #heardMs = 0
  /** Of the voices whose words have not arrived yet, the one that is most certainly the caller's. */
  #speaker: VoiceOwner | undefined
  #wordsUntilMs = 0

  constructor(events: VoiceAttributionEvents) {
    this.#events = events
  }

  /** Takes both sides of the same 20 ms. */
  hear(sent: Int16Array, received: Int16Array): void {
    this.#heardMs += frameMs
    this.#echo.push(sent, received)
    const voice = this.#voice
    if (voice.is === 'doubted' || voice.is === 'agent')
      this.#judge(voice.fromMs, voice.noticedMs, this.#heardMs - frameMs)
    else if (voice.is === 'caller' && this.#heardMs < voice.doubtUntilMs) this.#reconsider()
  }

  begins(fromMs: number): void {
    if (this.#heardMs > this.#wordsUntilMs) this.#speaker = undefined
    this.#wordsUntilMs = Number.POSITIVE_INFINITY
    this.#echo.learnBefore(this.#framesSince(fromMs))
    this.#judge(fromMs, this.#heardMs, fromMs)
  }

  ends(atMs: number): void {
    const { is } = this.#voice
    this.#voice = { is: 'nobody' }
    this.#wordsUntilMs = this.#heardMs + wordsWithinMs
    if (is === 'caller') this.#events.onQuiet(atMs)
    if (is === 'agent') this.#events.onEchoEnd()
  }

  /** The owner of the words that the transcriber reports now. A voice that was not detected was too quiet to be noticed. */
  get speaker(): VoiceOwner {
    const known = this.#heardMs > this.#wordsUntilMs ? undefined : this.#speaker
    return known ?? (this.#echo.path ? 'doubtful' : 'caller')
  }

  /** Whether the current voice is not yet known to be the caller's. */
  get isDoubted(): boolean {
    return this.#voice.is === 'doubted' || this.#voice.is === 'agent'
  }

  /** Whether the line may echo, as far as is known. */
  mayEcho(): boolean {
    return this.#echo.isSuspected()
  }

  /** Notes that all words of what was said so far have arrived. */
  wordsEnd(): void {
    if (this.#voice.is !== 'caller') this.#speaker = undefined
  }

  /** Decides whose voice began. `onTopMs`: where a caller's began; over an echo it is noticed only now. */
  #judge(fromMs: number, noticedMs: number, onTopMs: number): void {
    switch (this.#echo.whose(this.#framesSince(fromMs))) {
      case 'ours':
        this.#voice = { is: 'agent', fromMs, noticedMs }
        this.#speaker ??= 'agent'
        break
      case 'theirs':
        this.#speaker = 'caller'
        this.#believe(onTopMs)
        break
      case 'unclear':
        this.#voice = { is: 'doubted', fromMs, noticedMs }
        if (this.#speaker !== 'caller') this.#speaker = 'doubtful'
        if (this.#heardMs - noticedMs >= doubtMs) this.#believe(fromMs)
    }
  }

  #believe(fromMs: number): void {
    const isKnown = this.#echo.path !== undefined
    // A voice louder than the known echo stays the caller's, even when it falls silent.
    this.#voice = { is: 'caller', doubtUntilMs: isKnown ? 0 : this.#heardMs + doubtMs }
    this.#events.onCaller(fromMs, isKnown)
  }

  /** Looks again at a voice that was believed: a loud echo is recognized only after some syllables. */
  #reconsider(): void {
    if (!this.#echo.isEcho()) return
    this.#voice = { is: 'agent', fromMs: this.#heardMs, noticedMs: this.#heardMs }
    this.#speaker = 'doubtful'
    this.#events.onQuiet(this.#heardMs)
  }

  #framesSince(placeMs: number): number {
    return Math.max(0, Math.ceil((this.#heardMs - placeMs) / frameMs))
  }
}
