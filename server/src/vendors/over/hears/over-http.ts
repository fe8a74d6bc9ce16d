// The shared half of a transcriber over HTTP: one request per utterance, no partials.
//
// The call's voice detector reports where someone speaks; the audio of an utterance is sent when its final is wanted.
import { type Frame, frameMs } from '../../../media/frame.ts'
import type {
  Transcriber,
  TranscriberAbilities,
  TranscriberOptions,
  TranscriptEvent,
  TranscriptStream,
} from '../../../ports/transcriber.ts'
import type { VendorAccount } from '../../../ports/vendor.ts'
import type { VoiceEvent } from '../../../ports/voice-detector.ts'
import { EventQueue } from '../wire/event-queue.ts'
import { VendorLate } from '../wire/vendor-failure.ts'
import { askForJson, type VendorPost, type VendorRequest, warmVendor } from '../wire/vendor-request.ts'
import { withinLimits } from './keyterms.ts'
import type { SttOptions } from './over-socket.ts'
import { SoundEncoder, type SoundTaken } from './sound.ts'
import { CallerLanguages } from './wishes.ts'

export interface SttAnswer {
  readonly text: string
  /** As the vendor writes it. */
  readonly language?: string | null | undefined
}

export interface SttHttpDialect extends SoundTaken {
  /** The vendor's name in error messages. */
  readonly label: string
  readonly abilities: TranscriberAbilities
  /** A harmless GET that opens a connection ahead and tells whether the key is valid. */
  warm(account: VendorAccount): VendorRequest
  ask(sound: Uint8Array, options: SttOptions, account: VendorAccount): VendorPost | Promise<VendorPost>
  /** The answer is parsed JSON. */
  decode(answer: unknown): SttAnswer
}

// A word begins more quietly than a detector notices.
const beforeMs = 300
// A minute: nobody speaks longer without a pause, and no vendor transcribes more while a caller waits.
const mostMs = 60_000
const patienceMs = 10_000

export const hearOverHttp =
  (dialect: SttHttpDialect) =>
  (account: VendorAccount): Transcriber => ({
    abilities: dialect.abilities,
    open: (options, signal) => new UtteranceStream(dialect, options, account, signal),
    warm: (_, signal) => warmVendor(dialect.warm(account), { label: dialect.label, account, signal }),
  })

class UtteranceStream implements TranscriptStream {
  readonly #dialect: SttHttpDialect
  readonly #options: SttOptions
  readonly #account: VendorAccount
  readonly #signal: AbortSignal
  readonly #encoder: SoundEncoder
  readonly #languages: CallerLanguages
  readonly #events = new EventQueue<TranscriptEvent>()
  /** A chunk for each frame. */
  #sound: Uint8Array[] = []
  #writtenMs = 0
  #isSpeaking = false
  /** Since the voice ended; Infinity while nothing waits to be sent. */
  #silentMs = Number.POSITIVE_INFINITY
  /** Answers are emitted in the order of their utterances. */
  #last: Promise<void> = Promise.resolve()

  constructor(
    dialect: SttHttpDialect,
    options: TranscriberOptions,
    account: VendorAccount,
    signal: AbortSignal,
  ) {
    this.#dialect = dialect
    this.#encoder = new SoundEncoder(options, dialect)
    const wished = withinLimits(options, dialect.abilities)
    this.#options = { ...wished, rateHz: this.#encoder.rateHz, encoding: this.#encoder.encoding }
    this.#languages = new CallerLanguages(options)
    this.#account = account
    this.#signal = signal
    const end = () => this.#events.clear()
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  }

  write(frame: Frame): void {
    this.#encoder.push(frame, (chunk) => this.#sound.push(chunk))
    this.#writtenMs += frameMs
    const isHeard = this.#isSpeaking || Number.isFinite(this.#silentMs)
    if (this.#sound.length * frameMs > (isHeard ? mostMs : beforeMs)) this.#sound.shift()
    if (this.#isSpeaking) return
    this.#silentMs += frameMs
    if (Number.isFinite(this.#silentMs) && this.#silentMs >= this.#options.endpointingMs) this.finalize()
  }

  hear({ type }: VoiceEvent): void {
    if (type === 'speech-start') {
      this.#isSpeaking = true
      this.#silentMs = Number.POSITIVE_INFINITY
      this.#events.push({ type: 'speech-started' })
    } else if (type === 'speech-end' && this.#isSpeaking) {
      this.#isSpeaking = false
      this.#silentMs = 0
      this.#events.push({ type: 'speech-ended' })
    }
  }

  finalize(): void {
    if (!this.#isSpeaking && !Number.isFinite(this.#silentMs)) return
    const sound = Buffer.concat(this.#sound)
    const endMs = this.#writtenMs
    this.#sound = []
    this.#silentMs = Number.POSITIVE_INFINITY
    this.#last = this.#last.then(() => this.#recognise(sound, endMs))
  }

  finish(): void {
    this.finalize()
    void this.#last.then(() => this.#events.end())
  }

  [Symbol.asyncIterator](): AsyncIterator<TranscriptEvent> {
    return this.#events[Symbol.asyncIterator]()
  }

  async #recognise(sound: Uint8Array, endMs: number): Promise<void> {
    const { label } = this.#dialect
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), patienceMs)
    try {
      const { text, language } = await this.#ask(sound, AbortSignal.any([this.#signal, late.signal]))
      for (const event of this.#languages.hear(language, text.trim())) this.#events.push(event)
      this.#events.push({ type: 'final', text: text.trim(), endMs })
    } catch (error) {
      if (this.#signal.aborted) return
      this.#events.fail(
        late.signal.aborted
          ? new VendorLate(`${label} did not answer in time.`, { cause: error })
          : new Error((error as Error).message, { cause: error }),
      )
    } finally {
      clearTimeout(timer)
    }
  }

  async #ask(sound: Uint8Array, signal: AbortSignal): Promise<SttAnswer> {
    const { label, ask, decode } = this.#dialect
    const account = this.#account
    const answer = await askForJson(await ask(sound, this.#options, account), { label, account, signal })
    try {
      return decode(answer)
    } catch (cause) {
      throw new Error(`${label} sent what cannot be read.`, { cause })
    }
  }
}
