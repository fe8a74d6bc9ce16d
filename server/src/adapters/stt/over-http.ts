// The shared half of a transcriber over HTTP: one request per utterance, no partials.
//
// The call's voice detector reports where someone speaks; the audio of an utterance is sent when its final is wanted.
import { type FormData, request as send } from 'undici'
import { frameMs, type RateHz } from '../../media/frame.ts'
import { EventQueue } from '../../platform/event-queue.ts'
import { vendorConnections } from '../../platform/vendor-connections.ts'
import { refusalReason } from '../../platform/vendor-refusal.ts'
import type {
  Transcriber,
  TranscriberAbilities,
  TranscriberOptions,
  TranscriptEvent,
  TranscriptStream,
} from '../../ports/transcriber.ts'
import type { VendorAccount } from '../../ports/vendor.ts'
import type { VoiceEvent } from '../../ports/voice-detector.ts'

export interface SttRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | FormData
}

export interface SttHttpDialect {
  /** The vendor's name in error messages. */
  readonly label: string
  readonly abilities: TranscriberAbilities
  ask(
    samples: Int16Array,
    options: TranscriberOptions,
    account: VendorAccount,
  ): SttRequest | Promise<SttRequest>
  /** Extracts the text from the answer, which is parsed JSON. */
  decode(answer: unknown): string
}

// A word begins more quietly than a detector notices.
const beforeMs = 300
// A minute: nobody speaks longer without a pause, and no vendor transcribes more while a caller waits.
const mostMs = 60_000
const patienceMs = 10_000

export const overHttp =
  (dialect: SttHttpDialect) =>
  (account: VendorAccount): Transcriber => ({
    abilities: dialect.abilities,
    open: (options, signal) => new UtteranceStream(dialect, options, account, signal),
  })

class UtteranceStream implements TranscriptStream {
  readonly #dialect: SttHttpDialect
  readonly #options: TranscriberOptions
  readonly #account: VendorAccount
  readonly #signal: AbortSignal
  readonly #events = new EventQueue<TranscriptEvent>()
  #sound: Int16Array[] = []
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
    this.#options = options
    this.#account = account
    this.#signal = signal
    const end = () => this.#events.clear()
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  }

  write({ samples }: { readonly samples: Int16Array; readonly rateHz: RateHz }): void {
    this.#sound.push(samples.slice())
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
    const sound = joined(this.#sound)
    this.#sound = []
    this.#silentMs = Number.POSITIVE_INFINITY
    this.#last = this.#last.then(() => this.#recognise(sound))
  }

  finish(): void {
    this.finalize()
    void this.#last.then(() => this.#events.end())
  }

  [Symbol.asyncIterator](): AsyncIterator<TranscriptEvent> {
    return this.#events[Symbol.asyncIterator]()
  }

  async #recognise(samples: Int16Array): Promise<void> {
    const { label } = this.#dialect
    try {
      this.#events.push({ type: 'final', text: (await this.#ask(samples)).trim() })
    } catch (error) {
      if (this.#signal.aborted) return
      const isLate = error instanceof Error && error.name === 'TimeoutError'
      const message = isLate ? `${label} did not answer in time.` : (error as Error).message
      this.#events.fail(new Error(message, { cause: error }))
    }
  }

  async #ask(samples: Int16Array): Promise<string> {
    const { label, ask, decode } = this.#dialect
    const { url, headers, body } = await ask(samples, this.#options, this.#account)
    const dispatcher = vendorConnections(this.#account.lookup)
    const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(patienceMs)])
    const answer = await send(url, { method: 'POST', headers, body, signal, dispatcher }).catch((cause) => {
      signal.throwIfAborted()
      throw new Error(`${label} cannot be reached (${cause.code ?? cause.name}).`, { cause })
    })
    const text = await answer.body.text()
    if (answer.statusCode !== 200)
      throw new Error(
        `${label} answered ${answer.statusCode}${refusalReason(text, this.#account.credentials)}`,
      )
    try {
      return decode(JSON.parse(text))
    } catch (cause) {
      throw new Error(`${label} sent what cannot be read.`, { cause })
    }
  }
}

function joined(frames: readonly Int16Array[]): Int16Array {
  const all = new Int16Array(frames.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const frame of frames) {
    all.set(frame, at)
    at += frame.length
  }
  return all
}
