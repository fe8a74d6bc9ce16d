// The shared half of a streaming synthesizer: sayings over the connections of a call, cancelling, the end.

import { randomUUID } from 'node:crypto'
import type {
  SynthesisStream,
  Synthesizer,
  SynthesizerAbilities,
  SynthesizerOptions,
} from '../../../ports/synthesizer.ts'
import type { TtsVendor, VendorAccount } from '../../../ports/vendor.ts'
import type { CompanyAccount } from '../account.ts'
import { refusalReason } from '../wire/vendor-failure.ts'
import { type OutgoingMessage, VendorSocket } from '../wire/vendor-socket.ts'
import type { TtsDialect, TtsPace } from './dialect.ts'
import { usualTtsOptions } from './options.ts'
import { PcmFrames, vendorRate } from './pcm.ts'
import { type SayingEnd, SayingStream } from './saying.ts'

export const speakOverSocket =
  (dialect: TtsDialect, pace?: TtsPace) =>
  (account: VendorAccount): Synthesizer =>
    new SocketSynthesizer(dialect, account, pace)

interface SocketVoices
  extends Omit<TtsDialect, 'label' | 'abilities'>,
    Pick<TtsVendor, 'abilities' | 'lacks' | 'ownOptions'>,
    Partial<Pick<TtsVendor, 'host'>> {
  readonly options: Omit<TtsVendor['options'], keyof typeof usualTtsOptions> & Partial<TtsVendor['options']>
}

/** A company's synthesizer, from what is its own. */
export function socketVoices({ shared }: CompanyAccount, vendor: SocketVoices): TtsVendor {
  const { host = shared.host, options, ownOptions, lacks, ...own } = vendor
  return {
    ...shared,
    host,
    abilities: own.abilities,
    options: { ...usualTtsOptions, ...options },
    ownOptions,
    lacks,
    open: speakOverSocket({ ...own, label: shared.label, refusalHeader: shared.refusalHeader }),
  }
}

/** The connections of one call. */
class SocketSynthesizer implements Synthesizer {
  readonly abilities: SynthesizerAbilities
  readonly #dialect: TtsDialect
  readonly #account: VendorAccount
  readonly #pace: TtsPace
  readonly #connections = new Set<TtsConnection>()

  constructor(dialect: TtsDialect, account: VendorAccount, pace: TtsPace) {
    this.abilities = dialect.abilities
    this.#dialect = dialect
    this.#account = account
    this.#pace = pace
  }

  open(options: SynthesizerOptions, signal: AbortSignal): SynthesisStream {
    return this.#connectionFor(options).say(signal)
  }

  async warm(options: SynthesizerOptions, signal: AbortSignal): Promise<void> {
    await this.#connectionFor(options).ready(signal)
  }

  close(): void {
    for (const connection of this.#connections) connection.close()
  }

  #connectionFor(options: SynthesizerOptions): TtsConnection {
    const key = JSON.stringify(options)
    for (const connection of this.#connections)
      if (connection.key === key && connection.isFree) return connection
    const connection = new TtsConnection(this.#dialect, this.#account, {
      key,
      options,
      pace: this.#pace,
      onGone: () => this.#connections.delete(connection),
    })
    this.#connections.add(connection)
    return connection
  }
}

// A reply has a few dozen clauses; nothing may be dropped.
const mostWaiting = 1_000
// At most ten seconds of audio wait to be read; beyond that the vendor waits.
const mostFrames = 500

interface ConnectionOptions {
  /** Sayings with the same key may use this connection. */
  readonly key: string
  readonly options: SynthesizerOptions
  readonly pace: TtsPace
  readonly onGone: () => void
}

class TtsConnection {
  readonly key: string
  readonly #dialect: TtsDialect
  readonly #account: VendorAccount
  readonly #own: ConnectionOptions
  /** With the rate of the vendor's audio. */
  readonly #options: SynthesizerOptions
  readonly #socket: VendorSocket
  readonly #sayings = new Map<string, SayingStream>()
  readonly #opened = Promise.withResolvers<void>()
  #isGone = false
  #hasServed = false

  constructor(dialect: TtsDialect, account: VendorAccount, own: ConnectionOptions) {
    this.key = own.key
    this.#dialect = dialect
    this.#account = account
    this.#own = own
    this.#options = { ...own.options, rateHz: vendorRate(dialect, own.options.rateHz) }
    // A rejection that nobody awaits must not end the process.
    this.#opened.promise.catch(() => {})
    const { keepAlive } = dialect
    this.#socket = new VendorSocket(dialect.connect(this.#options, account), {
      name: dialect.label,
      service: 'synthesizer',
      refusalHeader: dialect.refusalHeader,
      keepAlive: typeof keepAlive === 'function' ? keepAlive(this.#options) : keepAlive,
      mostWaiting,
      lookup: account.lookup,
      credentials: account.credentials,
      onOpen: () => this.#opened.resolve(),
      onMessage: (message) => this.#receive(parsed(message, dialect)),
      onEnd: (error) => this.#end(error),
      pace: own.pace,
    })
  }

  /** Whether another saying may begin. */
  get isFree(): boolean {
    if (this.#isGone) return false
    const { sharing, mostContexts = Number.POSITIVE_INFINITY } = this.#dialect
    if (sharing === 'by-context') return this.#sayings.size < mostContexts
    if (sharing === 'when-cleared') return this.#sayings.size === 0
    return !this.#hasServed
  }

  /** Until the connection is open; rejects if it fails. */
  async ready(signal: AbortSignal): Promise<void> {
    const abort = () => this.#opened.resolve()
    signal.addEventListener('abort', abort, { once: true })
    await this.#opened.promise.finally(() => signal.removeEventListener('abort', abort))
  }

  say(signal: AbortSignal): SynthesisStream {
    this.#hasServed = true
    const id = randomUUID()
    const saying = this.#dialect.begin(id, this.#options)
    const stream = new SayingStream(saying, signal, {
      frames: new PcmFrames(this.#options.rateHz, this.#own.options.rateHz),
      send: (messages) => {
        for (const message of [messages].flat() as OutgoingMessage[]) this.#socket.send(message)
      },
      onLength: (length) => this.#throttle(length),
      onEnd: (how) => this.#ended(id, how),
      failureOf: (reason) =>
        new Error(`${this.#dialect.label} failed${refusalReason(reason, this.#account.credentials)}`),
    })
    this.#sayings.set(id, stream)
    stream.begin()
    return stream
  }

  close(): void {
    if (this.#isGone) return
    this.#isGone = true
    this.#opened.resolve()
    this.#socket.close()
    for (const saying of this.#sayings.values()) saying.drop()
    this.#sayings.clear()
    this.#own.onGone()
  }

  #receive(message: unknown): void {
    const id = this.#dialect.contextOf?.(message)
    // A context that is not here any more was cancelled: nothing of it is heard.
    const about = id === undefined ? [...this.#sayings.values()] : [this.#sayings.get(id)]
    for (const saying of about) saying?.receive(message)
  }

  /** Sayings share the socket, so one that is far ahead makes all of them wait; by then each has seconds in store. */
  #throttle(length: number): void {
    if (length > mostFrames) this.#socket.pause()
    else this.#socket.resume()
  }

  #ended(id: string, how: SayingEnd): void {
    const { sharing, mostContexts } = this.#dialect
    const isAwaited = sharing === 'when-cleared' || mostContexts !== undefined
    if (how === 'cancelled' && isAwaited) return
    this.#sayings.delete(id)
    this.#socket.resume()
    if (sharing === undefined) this.close()
  }

  #end(error: Error): void {
    this.#isGone = true
    this.#opened.reject(error)
    for (const saying of this.#sayings.values()) saying.fail(error)
    this.#own.onGone()
  }
}

const parsed = (message: string | Uint8Array, { parse = JSON.parse }: TtsDialect): unknown =>
  typeof message === 'string' ? parse(message) : message
