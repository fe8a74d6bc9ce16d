// Listens to the caller: voice activity, words and beeps, with the agent's own echo removed.
import { BeepDetector } from '../../media/beep.ts'
import { type Frame, frameMs } from '../../media/frame.ts'
import { InformationTones } from '../../media/information-tones.ts'
import type {
  EndOfTurn,
  HeardWord,
  Transcriber,
  TranscriberOptions,
  TranscriptEvent,
  TurnDetection,
} from '../../ports/transcriber.ts'
import type { VoiceDetector, VoiceEvent } from '../../ports/voice-detector.ts'
import { faultSentence } from '../contain.ts'
import { type VoiceOwner, withoutEcho } from './echo-words.ts'
import { RestartingStream } from './restarting-stream.ts'
import { VoiceAttribution } from './voice-attribution.ts'

export interface RecognitionParts {
  readonly transcriber: Transcriber
  readonly detector: VoiceDetector
  readonly options: TranscriberOptions
  /** The time of the first frame; turns positions in the audio into times. */
  readonly beganMs: number
  /** The words that the agent said recently. */
  readonly recentWords: () => string
}

export interface RecognitionEvents {
  onVoiceStart(atMs: number, sure: boolean): void
  onVoiceEnd(atMs: number): void
  /** Reports the times of the words of a final, before the final itself. */
  onTimes?(words: readonly HeardWord[]): void
  onWords(type: 'partial' | 'final', text: string): void
  /** Reports that the caller speaks this language from now on. */
  onLanguage(language: string): void
  onTurnDetection(detection: TurnDetection | null): void
  /** Reports what a turn detection makes of the words, which may all have been the agent's own. */
  onEndOfTurn(is: EndOfTurn['is']): void
  onBeep(): void
  /** Reports the tones that precede a network's announcement. */
  onInformationTones(): void
  onNote(note: string): void
  onFailure(error: string): void
}

// Tones carry a meaning until a voicemail greeting is over; after that, the call is a conversation.
const tonesWithinMs = 90_000

export class Recognition {
  readonly #parts: RecognitionParts
  readonly #events: RecognitionEvents
  readonly #attribution: VoiceAttribution
  readonly #beep: BeepDetector
  readonly #tones: InformationTones
  readonly #words: RestartingStream<ReturnType<Transcriber['open']>>
  readonly #voice: RestartingStream<ReturnType<VoiceDetector['open']>>
  #heardMs = 0
  /** What the agent had said when the voice began whose words have not arrived yet. */
  #said = ''

  constructor(parts: RecognitionParts, events: RecognitionEvents) {
    this.#parts = parts
    this.#events = events
    this.#beep = new BeepDetector(parts.options.rateHz)
    this.#tones = new InformationTones(parts.options.rateHz)
    this.#attribution = new VoiceAttribution({
      onCaller: (placeMs, sure) => {
        this.#rememberWords()
        events.onVoiceStart(parts.beganMs + placeMs, sure)
      },
      onQuiet: (placeMs) => events.onVoiceEnd(parts.beganMs + placeMs),
      // Without a final here, the transcriber would join the echo to what the caller says next.
      onEchoEnd: () => this.askFinal(),
    })
    const lifecycle = {
      heardMs: () => this.#heardMs,
      onNote: (note: string) => events.onNote(note),
      onFailure: (error: string) => events.onFailure(error),
    }
    this.#words = new RestartingStream(
      'speech recognizer',
      (signal, fail) => this.#openWords(signal, fail),
      lifecycle,
    )
    this.#voice = new RestartingStream(
      'voice detector',
      (signal, fail) => this.#openVoice(signal, fail),
      lifecycle,
    )
  }

  open(): void {
    this.#words.open()
    this.#voice.open()
  }

  /** Takes the next 20 ms of the caller, and what the agent sent in the same 20 ms. */
  hear(caller: Frame, sent: Int16Array): void {
    this.#heardMs += frameMs
    this.#attribution.hear(sent, caller.samples)
    this.#voice.write(caller)
    this.#words.write(caller)
    if (this.#heardMs >= tonesWithinMs) return
    if (this.#beep.hears(caller.samples)) this.#events.onBeep()
    if (this.#tones.hears(caller.samples)) this.#events.onInformationTones()
  }

  askFinal(): void {
    this.#words.use((stream) => stream.finalize?.())
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
    // Each stream counts its times from its own beginning.
    const shiftMs = openedMs - this.#words.openedMs
    this.#words.use((stream) =>
      stream.hear?.(shiftMs === 0 ? event : { ...event, atMs: event.atMs + shiftMs }),
    )
    if (event.type === 'probability') return
    this.#rememberWords()
    if (event.type === 'speech-start') this.#attribution.begins(openedMs + event.atMs)
    else this.#attribution.ends(openedMs + event.atMs)
  }

  #rememberWords(): void {
    this.#said = this.#parts.recentWords() || this.#said
  }

  #openWords(signal: AbortSignal, fail: (error: string) => void) {
    // The stream says so if it detects turns, which the one before it may have done.
    this.#events.onTurnDetection(null)
    const stream = this.#parts.transcriber.open(this.#parts.options, signal)
    const openedMs = this.#parts.beganMs + this.#heardMs
    void this.#read(stream, openedMs, signal).catch((error) => {
      if (!signal.aborted) fail(faultSentence(error))
    })
    return stream
  }

  async #read(stream: AsyncIterable<TranscriptEvent>, openedMs: number, signal: AbortSignal): Promise<void> {
    for await (const event of stream) {
      if (signal.aborted) return
      if (event.type === 'final' && event.words) this.#events.onTimes?.(laterBy(openedMs, event.words))
      if (event.type === 'partial' || event.type === 'final') this.#hearWords(event.type, event.text)
      if (event.type === 'language' && this.#attribution.speaker !== 'agent')
        this.#events.onLanguage(event.language)
      if (event.type === 'turn-detection') this.#events.onTurnDetection(event.detection)
      if (event.type === 'end-of-turn') this.#events.onEndOfTurn(event.is)
    }
    throw new Error('The speech recognizer stopped listening.')
  }

  #hearWords(type: 'partial' | 'final', text: string): void {
    const { speaker, isDoubted } = this.#attribution
    // Words of a doubted voice are taken only when they are final.
    if (type === 'partial' && isDoubted) return
    const words = this.#ofCaller(text, speaker)
    if (type === 'final') this.#wordsEnd()
    // An empty final retracts the partial before it; for the agent's own voice there was no partial.
    if (words || (type === 'final' && speaker !== 'agent')) this.#events.onWords(type, words)
  }

  #wordsEnd(): void {
    this.#attribution.wordsEnd()
    this.#said = ''
  }

  #ofCaller(text: string, speaker: VoiceOwner): string {
    const said = this.#parts.recentWords() || this.#said
    const doubtful = said !== '' && (speaker !== 'caller' || this.#attribution.mayEcho())
    return doubtful ? withoutEcho(text, said, speaker) : text
  }
}

const laterBy = (byMs: number, words: readonly HeardWord[]): readonly HeardWord[] =>
  words.map(({ text, startMs, endMs }) => ({ text, startMs: startMs + byMs, endMs: endMs + byMs }))
