// The ears of a call: whose voice is heard and which words, the agent's own echo taken out of both.
import { BeepDetector } from '../media/beep.ts'
import { EchoMeter } from '../media/echo.ts'
import { type Frame, frameMs } from '../media/frame.ts'
import type { Transcriber, TranscriberOptions, TranscriptEvent } from '../ports/transcriber.ts'
import type { VoiceDetector, VoiceEvent } from '../ports/voice-detector.ts'
import { tellingWords, withoutEcho } from './echo-words.ts'
import { sentence } from './engine-fault.ts'
import { Reopening } from './reopening.ts'

export interface EarParts {
  readonly transcriber: Transcriber
  readonly detector: VoiceDetector
  readonly options: TranscriberOptions
  /** When the first sound was heard: places in the sound become times by it. */
  readonly beganMs: number
  /** What the agent said of late. */
  readonly recentWords: () => string
}

export interface EarEvents {
  onVoiceStart(atMs: number, sure: boolean): void
  onVoiceEnd(atMs: number): void
  onWords(type: 'partial' | 'final', text: string): void
  onBeep(): void
  onNote(note: string): void
  onFailure(error: string): void
}

// Nobody leaves a message for a person who already speaks.
const beepWithinMs = 30_000
// Some syllables, by which an echo is known; after that a voice is believed.
const doubtMs = 600

export class Ears {
  readonly #parts: EarParts
  readonly #events: EarEvents
  readonly #echo = new EchoMeter()
  readonly #beep: BeepDetector
  readonly #words: Reopening<ReturnType<Transcriber['open']>>
  readonly #voice: Reopening<ReturnType<VoiceDetector['open']>>
  /** `masked`: somebody is heard, and it is the agent itself. */
  #hears: 'nobody' | 'caller' | 'masked' = 'nobody'
  #heardMs = 0
  #callerMs = 0

  constructor(parts: EarParts, events: EarEvents) {
    this.#parts = parts
    this.#events = events
    this.#beep = new BeepDetector(parts.options.rateHz)
    const lifecycle = {
      heardMs: () => this.#heardMs,
      onNote: (note: string) => events.onNote(note),
      onFailure: (error: string) => events.onFailure(error),
    }
    this.#words = new Reopening(
      'speech recognizer',
      (signal, fail) => this.#openWords(signal, fail),
      lifecycle,
    )
    this.#voice = new Reopening('voice detector', (signal, fail) => this.#openVoice(signal, fail), lifecycle)
  }

  open(): void {
    this.#words.open()
    this.#voice.open()
  }

  /** The next 20 ms of the caller, and what the agent sent in the same. */
  hear(caller: Frame, sent: Int16Array): void {
    this.#heardMs += frameMs
    this.#echo.push(sent, caller.samples)
    this.#voice.write(caller)
    this.#words.write(caller)
    this.#unmask()
    if (this.#heardMs < beepWithinMs && this.#beep.hears(caller.samples)) this.#events.onBeep()
  }

  askFinal(): void {
    this.#words.stream?.finalize?.()
  }

  close(): void {
    this.#words.close((stream) => stream.finish())
    this.#voice.close((stream) => stream.close())
  }

  get heardSeconds(): number {
    return this.#heardMs / 1_000
  }

  #openVoice(signal: AbortSignal, fail: (error: string) => void) {
    const openedMs = this.#heardMs
    return this.#parts.detector.open(this.#parts.options.rateHz, (event) => {
      if (signal.aborted) return
      if (event.type === 'failed') fail(event.reason)
      else this.#hearVoice(event, openedMs)
    })
  }

  #hearVoice(event: Exclude<VoiceEvent, { type: 'failed' }>, openedMs: number): void {
    // Both streams count from their own beginning.
    const shiftMs = openedMs - this.#words.openedMs
    this.#words.stream?.hear?.(shiftMs === 0 ? event : { ...event, atMs: event.atMs + shiftMs })
    if (event.type === 'speech-start') {
      if (this.#echo.isEcho()) this.#hears = 'masked'
      else this.#callerBegins(openedMs + event.atMs)
    } else if (event.type === 'speech-end') {
      if (this.#hears === 'caller') this.#events.onVoiceEnd(this.#parts.beganMs + openedMs + event.atMs)
      this.#hears = 'nobody'
    }
  }

  #callerBegins(placeMs: number): void {
    this.#hears = 'caller'
    this.#callerMs = this.#heardMs
    this.#events.onVoiceStart(this.#parts.beganMs + placeMs, this.#echo.path !== undefined)
  }

  /** Whose voice it is may show only after a while: ours takes some syllables to be known, theirs comes on top of it. */
  #unmask(): void {
    if (this.#hears === 'masked' && !this.#echo.isEcho()) this.#callerBegins(this.#heardMs - frameMs)
    const doubtful = this.#hears === 'caller' && this.#heardMs - this.#callerMs < doubtMs
    if (!doubtful || this.#parts.recentWords() === '' || !this.#echo.isEcho()) return
    this.#hears = 'masked'
    this.#events.onVoiceEnd(this.#parts.beganMs + this.#heardMs)
  }

  #openWords(signal: AbortSignal, fail: (error: string) => void) {
    const stream = this.#parts.transcriber.open(this.#parts.options, signal)
    void this.#read(stream, signal).catch((error) => {
      if (!signal.aborted) fail(sentence(error))
    })
    return stream
  }

  async #read(stream: AsyncIterable<TranscriptEvent>, signal: AbortSignal): Promise<void> {
    for await (const event of stream) {
      if (signal.aborted) return
      if (event.type === 'partial' || event.type === 'final') this.#hearWords(event.type, event.text)
    }
    throw new Error('The speech recognizer stopped listening.')
  }

  #hearWords(type: 'partial' | 'final', text: string): void {
    const said = this.#parts.recentWords()
    const doubtful = said !== '' && this.#echo.isSuspected()
    // One word is doubted only while nobody but the agent is heard.
    const fewest = this.#hears === 'caller' || !this.#echo.path ? tellingWords : 1
    const words = doubtful ? withoutEcho(text, said, fewest) : text
    // An empty final still takes back the partial before it.
    if (words || type === 'final') this.#events.onWords(type, words)
  }
}
