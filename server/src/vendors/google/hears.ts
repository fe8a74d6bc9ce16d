// Google. gRPC google.cloud.speech.v2.Speech/StreamingRecognize, signed in by a service account.
//
// A final is asked for by closing our half, and the next audio opens another stream. Google ends a stream after 305 s: it is
// replaced at a pause after four minutes. In the middle of a sentence the next one gets the sound of all of it; if it began
// longer ago than sound is kept, its words so far are asked for, as if it ended here.
import type { Frame } from '../../media/frame.ts'
import { encodeMessage } from '../../platform/protobuf.ts'
import type { TranscriberOptions, TranscriptEvent, TranscriptStream } from '../../ports/transcriber.ts'
import type { SttVendor, VendorAccount } from '../../ports/vendor.ts'
import { KeptSound } from '../over/hears/kept-sound.ts'
import { withinLimits } from '../over/hears/keyterms.ts'
import type { SttOptions } from '../over/hears/over-socket.ts'
import { SoundEncoder } from '../over/hears/sound.ts'
import {
  CallerLanguages,
  lacksOf,
  translatesToo,
  usualSttAbilities,
  usualSttOptions,
} from '../over/hears/wishes.ts'
import { EventQueue } from '../over/wire/event-queue.ts'
import { GrpcConnection, type GrpcStream } from '../over/wire/grpc-stream.ts'
import { vendorUrl } from '../over/wire/vendor-address.ts'
import { account, signedBy } from './account.ts'
import { hearsOptions } from './own-options.ts'
import { hostIn, locationOf, recognizeRequest, resultsOf } from './recognize.ts'

const path = '/google.cloud.speech.v2.Speech/StreamingRecognize'
const taken = { encodings: ['linear16', 'mulaw', 'alaw'] as const, chunkMs: 40 }
const [replacedFromMs, replacedByMs] = [240_000, 290_000]
// The caller may be speaking already: a vendor that is not connected by then is given up for another engine.
const connectMs = 1_300
// The first words of a sentence arrive within this.
const firstWordMs = 2_000
// After the half close the last words come within this, or not at all.
const farewellMs = 3_000

// cloud.google.com/speech-to-text/v2/docs/speech-to-text-supported-languages, as of 2026-11.
const understood = [
  'af am ar as ast az be bg bn bs ca ceb ckb cs cy da de el en es et eu fa ff fi fil fr ga gl gu ha',
  'he hi hr hu hy id ig is it ja jv ka kam kea kk km kn ko ky lb lg ln lo lt luo lv mi mk ml mn mr ms',
  'mt my ne nl no nso ny oc om or pa pl ps pt ro ru rup rw sd si sk sl sn so sq sr ss st su sv sw ta',
  'te tg th tn tr ts uk umb ur uz ve vi wo xh yo yue zh zu',
].flatMap((line) => line.split(' '))

// cloud.google.com/speech-to-text/v2/quotas, as of 2026-11.
const keyterms = { most: 5_000, mostChars: 100 }

const abilities = { ...usualSttAbilities, keyterms, languages: understood } as const

/** One stream of Google's; there are several in a call. */
interface RecognizeStream {
  readonly stream: GrpcStream
  /** Where it began in the audio of the call. */
  readonly startMs: number
  isEnding: boolean
}

class GoogleStream implements TranscriptStream {
  readonly #options: SttOptions
  readonly #account: VendorAccount
  readonly #host: string
  readonly #connection: GrpcConnection
  readonly #encoder: SoundEncoder
  readonly #languages: CallerLanguages
  readonly #events = new EventQueue<TranscriptEvent>()
  readonly #kept = new KeptSound()
  readonly #open = new Set<RecognizeStream>()
  #current: RecognizeStream | undefined
  #isOutstanding = false
  /** Where the sentence whose final is outstanding was first heard. */
  #sentenceMs = 0
  #isLeaving = false

  constructor(
    options: TranscriberOptions,
    account: VendorAccount,
    signal: AbortSignal,
    connection: GrpcConnection,
  ) {
    this.#encoder = new SoundEncoder(options, taken)
    this.#options = { ...options, rateHz: this.#encoder.rateHz, encoding: this.#encoder.encoding }
    this.#languages = new CallerLanguages(options)
    this.#account = account
    this.#host = hostIn(locationOf(account, options))
    this.#connection = connection
    const end = () => {
      this.#leave()
      this.#events.clear()
    }
    if (signal.aborted) end()
    else {
      signal.addEventListener('abort', end, { once: true })
      this.#begin(0)
    }
  }

  write(frame: Frame): void {
    if (this.#isLeaving) return
    this.#replaceInTime()
    if (!this.#current) this.#begin(this.#kept.toMs)
    this.#kept.write(frame, this.#isOutstanding)
    this.#send(frame)
  }

  finalize(): void {
    const { toMs } = this.#kept
    // A stream without audio would be refused.
    if (this.#current && toMs > this.#current.startMs) this.#halfClose(this.#current)
  }

  finish(): void {
    if (this.#isLeaving) return
    this.#isLeaving = true
    if (this.#current) this.#halfClose(this.#current)
    setTimeout(() => this.#end(), farewellMs).unref()
    if (this.#open.size === 0) this.#end()
  }

  [Symbol.asyncIterator](): AsyncIterator<TranscriptEvent> {
    return this.#events[Symbol.asyncIterator]()
  }

  #begin(startMs: number): void {
    try {
      const opened: RecognizeStream = {
        stream: this.#connection.call({
          path,
          headers: signedBy(this.#account.credentials, `https://${this.#host}/`),
          onMessage: (message) => this.#hear(message, opened),
          onEnd: (error) => this.#ended(opened, error),
        }),
        startMs,
        isEnding: false,
      }
      this.#current = opened
      this.#open.add(opened)
      opened.stream.send(recognizeRequest(this.#options, this.#account))
    } catch (error) {
      this.#leave()
      this.#events.fail(error as Error)
    }
  }

  #send(frame: Frame): void {
    this.#encoder.push(frame, (sound) => this.#current?.stream.send(encodeMessage({ 5: sound })))
  }

  #halfClose(recognizing: RecognizeStream): void {
    this.#encoder.flush((sound) => recognizing.stream.send(encodeMessage({ 5: sound })))
    recognizing.isEnding = true
    recognizing.stream.end()
    this.#current = undefined
  }

  #replaceInTime(): void {
    if (!this.#current) return
    const ageMs = this.#kept.toMs - this.#current.startMs
    if (ageMs >= replacedByMs && this.#kept.fromMs <= this.#sentenceMs - firstWordMs) {
      const { stream } = this.#current
      this.#open.delete(this.#current)
      stream.cancel()
      this.#begin(this.#kept.fromMs)
      this.#kept.replay({ write: (frame) => this.#send(frame) })
    } else if (ageMs >= replacedByMs || (ageMs >= replacedFromMs && !this.#isOutstanding))
      this.#halfClose(this.#current)
  }

  #hear(message: Buffer, { startMs }: RecognizeStream): void {
    const results = resultsOf(message)
    if (results.length === 0) this.#events.push({ type: 'alive' })
    for (const { text, isFinal, endMs, language, words } of results) {
      const isOutstanding = !isFinal && text !== ''
      if (isOutstanding && !this.#isOutstanding) this.#sentenceMs = this.#kept.toMs
      this.#isOutstanding = isOutstanding
      if (!isFinal) this.#events.push({ type: 'partial', text })
      else {
        this.#kept.cutTo(startMs + endMs)
        for (const event of this.#languages.hear(language, text)) this.#events.push(event)
        this.#events.push({
          type: 'final',
          text,
          endMs: startMs + endMs,
          words: words.map((word) => ({
            ...word,
            startMs: startMs + word.startMs,
            endMs: startMs + word.endMs,
          })),
        })
      }
    }
  }

  #ended(ended: RecognizeStream, error: Error | undefined): void {
    this.#open.delete(ended)
    if (this.#current === ended) this.#current = undefined
    if (error && !this.#isLeaving) {
      this.#leave()
      this.#events.fail(error)
    } else if (this.#isLeaving && this.#open.size === 0) this.#end()
    else this.#events.push({ type: 'alive' })
  }

  #end(): void {
    this.#leave()
    this.#events.end()
  }

  /** Cancels all streams; no event follows. */
  #leave(): void {
    this.#isLeaving = true
    for (const { stream } of this.#open) stream.cancel()
    this.#open.clear()
    this.#connection.close()
  }
}

export const hears: SttVendor = {
  ...account.shared,
  host: ({ location }) => hostIn(location || 'global'),
  abilities,
  options: {
    ...usualSttOptions,
    model: '`config.model`; `long` unless given, `chirp_3` to find out the language',
    language: '`config.language_codes`, as in de-DE; `auto` as well',
    samplingRateHz: '`explicit_decoding_config.sample_rate_hertz`',
    encoding: '`explicit_decoding_config.encoding`: linear16, mulaw or alaw',
    task: '`config.translation_config` to English for `translate`',
    endpointingMs: '`endpointing_sensitivity`: supershort up to 300, short up to 1,000, then standard',
    keyterms: '`config.adaptation`, as a phrase set',
  },
  ownOptions: hearsOptions,
  lacks: lacksOf({ ...taken, tasks: translatesToo }),
  open(given) {
    let warmed: PlacedConnection | undefined
    return {
      abilities,
      open(options, signal) {
        const own = connectionFor(options, given)
        const isReady = warmed?.origin === own.origin
        const { connection } = isReady && warmed ? warmed : own
        if (!isReady) warmed?.connection.close()
        warmed = undefined
        return new GoogleStream(withinLimits(options, abilities), given, signal, connection)
      },
      async warm(options) {
        warmed?.connection.close()
        warmed = connectionFor(options, given)
        await warmed.connection.ready()
      },
      close: () => warmed?.connection.close(),
    }
  },
}

interface PlacedConnection {
  readonly origin: string
  readonly connection: GrpcConnection
}

/** A connection that is opened by its first use. */
function connectionFor(options: TranscriberOptions, given: VendorAccount): PlacedConnection {
  const { baseUrl, lookup } = given
  const host = hostIn(locationOf(given, options))
  const origin = vendorUrl({ scheme: 'https', host, baseUrl }, '')
  return { origin, connection: new GrpcConnection({ name: account.label, origin, lookup, connectMs }) }
}
