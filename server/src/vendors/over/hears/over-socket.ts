// The shared half of a streaming transcriber: connection, audio out, events in, the end.
import type {
  Transcriber,
  TranscriberAbilities,
  TranscriberOptions,
  TranscriptEvent,
  TranscriptStream,
} from '../../../ports/transcriber.ts'
import type { SttVendor, VendorAccount } from '../../../ports/vendor.ts'
import type { CompanyAccount } from '../account.ts'
import { EventQueue } from '../wire/event-queue.ts'
import { refusalReason } from '../wire/vendor-failure.ts'
import {
  type OutgoingMessage,
  type SocketAddress,
  VendorSocket,
  type VendorSocketOptions,
} from '../wire/vendor-socket.ts'
import { withinLimits } from './keyterms.ts'
import { SoundEncoder, type SoundEncoding, type SoundTaken } from './sound.ts'
import { lacksOf, usualSttAbilities, usualSttOptions } from './wishes.ts'

/** The agent's wishes, with the rate and the encoding in which the vendor gets the audio. */
export interface SttOptions extends TranscriberOptions {
  readonly encoding: SoundEncoding
}

export type SttMessage =
  | TranscriptEvent
  /** The vendor gives up, in its own words. */
  | { readonly type: 'failed'; readonly reason: string }

type KeepAlive = NonNullable<VendorSocketOptions['keepAlive']>

export interface SttDialect extends SoundTaken {
  /** The vendor's name in error messages. */
  readonly label: string
  /** The header in which the vendor says why it refuses a connection; undefined: the body does. */
  readonly refusalHeader?: string | undefined
  readonly abilities: TranscriberAbilities
  readonly detectsTurns?: Transcriber['detectsTurns']
  connect(options: SttOptions, account: VendorAccount): SocketAddress | Promise<SocketAddress>
  readonly keepAlive?: KeepAlive | ((options: SttOptions) => KeepAlive) | undefined
  /** Parses a text; undefined: it is JSON. */
  parse?(text: string): unknown
  /** Called for every stream, so what it returns may have state. */
  listen(options: SttOptions): SttListening
}

export interface SttListening {
  /** Wraps the bytes of a chunk, in none or several messages; undefined: they are sent as they are. */
  encode?(sound: Uint8Array): OutgoingMessage | readonly OutgoingMessage[]
  /** Requests the final of what was heard; undefined: the vendor decides by itself, or there is nothing to ask for. */
  finalize?(): OutgoingMessage | undefined
  /** No more audio. */
  readonly bye: OutgoingMessage
  /** Decodes its messages: parsed JSON, or bytes, which it reads with `readVendorMessage`. */
  decode(message: unknown): readonly SttMessage[]
}

// Twenty-five seconds of audio: what the caller said while the connection was being opened, after a long sentence that is sent
// again.
const mostWaiting = 1_250
// The caller may be speaking already: a vendor that is not connected by then is given up for another engine.
const openWithinMs = 1_300
// After the closing message the last words come within this, or not at all.
const farewellMs = 3_000

export type SttPace = VendorSocketOptions['pace']

export const hearOverSocket =
  (dialect: SttDialect, pace?: SttPace) =>
  (account: VendorAccount): Transcriber => {
    let warmed: WarmStream | undefined
    return {
      abilities: dialect.abilities,
      ...(dialect.detectsTurns && { detectsTurns: dialect.detectsTurns }),
      open(options, signal) {
        const ready = warmed
        warmed = undefined
        if (ready?.isAlive && ready.key === JSON.stringify(options)) return ready.take(signal)
        ready?.close()
        const stream = openStream(dialect, account, { options, signal, pace })
        stream.hurry()
        return stream
      },
      warm(options, signal) {
        warmed?.close()
        warmed = new WarmStream(dialect, account, { options, signal, pace })
        return warmed.opened
      },
      close: () => warmed?.close(),
    }
  }

interface SocketVendor extends Omit<SttDialect, 'label' | 'abilities'>, Partial<Pick<SttVendor, 'host'>> {
  readonly languages: TranscriberAbilities['languages']
  /** Where its abilities are not the usual ones. */
  readonly abilities?: Partial<SttVendor['abilities']>
  readonly options: Omit<SttVendor['options'], keyof typeof usualSttOptions> & Partial<SttVendor['options']>
  readonly ownOptions: SttVendor['ownOptions']
  /** Undefined: `transcribe` only. */
  readonly tasks?: readonly string[]
  /** What it lacks besides rates, encodings and tasks. */
  readonly furtherLacks?: SttVendor['lacks']
}

/** A company's transcriber, from what is its own. */
export function socketVendor({ shared }: CompanyAccount, vendor: SocketVendor): SttVendor {
  const { host = shared.host, languages, options, ownOptions, tasks, furtherLacks, ...own } = vendor
  const abilities = { ...usualSttAbilities, ...own.abilities, languages }
  const lacks = lacksOf({ ...own, tasks })
  return {
    ...shared,
    host,
    abilities,
    options: { ...usualSttOptions, ...options },
    ownOptions,
    lacks: (asked) => [...lacks(asked), ...(furtherLacks?.(asked) ?? [])],
    open: hearOverSocket({
      ...own,
      label: shared.label,
      refusalHeader: shared.refusalHeader,
      abilities,
    }),
  }
}

/** A stream that was opened before it is wanted. */
class WarmStream {
  readonly key: string
  readonly opened: Promise<void>
  readonly #stop = new AbortController()
  readonly #stream: OpenedStream
  isAlive = true

  constructor(dialect: SttDialect, account: VendorAccount, { options, signal, pace }: Opening) {
    this.key = JSON.stringify(options)
    const opened = Promise.withResolvers<void>()
    this.opened = opened.promise
    // A rejection that nobody awaits must not end the process.
    opened.promise.catch(() => {})
    this.#stream = openStream(dialect, account, {
      options,
      signal: this.#stop.signal,
      pace,
      onOpen: opened.resolve,
      onEnd: (error) => {
        this.isAlive = false
        opened.reject(error)
      },
    })
    signal.addEventListener('abort', () => opened.resolve(), { once: true })
  }

  take(signal: AbortSignal): TranscriptStream {
    if (signal.aborted) this.#stop.abort()
    else signal.addEventListener('abort', () => this.#stop.abort(), { once: true })
    this.#stream.hurry()
    return this.#stream
  }

  close(): void {
    this.#stop.abort()
  }
}

interface OpenedStream extends TranscriptStream {
  /** The stream is wanted from now on. */
  hurry(): void
}

interface Opening {
  readonly options: TranscriberOptions
  readonly signal: AbortSignal
  readonly pace: SttPace
  readonly onOpen?: () => void
  readonly onEnd?: (error: Error) => void
}

function openStream(
  dialect: SttDialect,
  account: VendorAccount,
  { options, signal, pace, onOpen, onEnd }: Opening,
): OpenedStream {
  const events = new EventQueue<TranscriptEvent>()
  const encoder = new SoundEncoder(options, dialect)
  const wished = withinLimits(options, dialect.abilities)
  const wire: SttOptions = { ...wished, rateHz: encoder.rateHz, encoding: encoder.encoding }
  const listening = dialect.listen(wire)
  let isLeaving = false
  let isFinalDue = false
  let farewell: NodeJS.Timeout | undefined
  const take = (message: SttMessage) => {
    if (message.type === 'final') isFinalDue = false
    if (message.type !== 'failed') return events.push(message)
    end()
    events.fail(new Error(`${dialect.label} failed${refusalReason(message.reason, account.credentials)}`))
  }
  const socket = new VendorSocket(dialect.connect(wire, account), {
    name: dialect.label,
    service: 'transcriber',
    refusalHeader: dialect.refusalHeader,
    keepAlive: typeof dialect.keepAlive === 'function' ? dialect.keepAlive(wire) : dialect.keepAlive,
    mostWaiting,
    lookup: account.lookup,
    credentials: account.credentials,
    isAwaiting: () => isFinalDue,
    onMessage(message) {
      const told = listening.decode(parsed(message, dialect))
      if (told.length === 0) take({ type: 'alive' })
      for (const event of told) take(event)
    },
    onOpen,
    onEnd(error) {
      onEnd?.(error)
      // After our closing message, a closed connection is expected.
      if (isLeaving) events.end()
      else events.fail(error)
    },
    pace,
  })
  const end = () => {
    clearTimeout(farewell)
    signal.removeEventListener('abort', abort)
    socket.close()
  }
  const abort = () => {
    // Some vendors go on counting the minutes of a session that nobody has ended.
    if (!isLeaving) socket.send(listening.bye)
    end()
    events.clear()
  }
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  const send = (sound: Uint8Array) => {
    for (const message of [listening.encode?.(sound) ?? sound].flat()) socket.send(message)
  }
  return {
    hurry: () => socket.openWithin(openWithinMs),
    write: (frame) => encoder.push(frame, send),
    ...(listening.finalize && {
      finalize() {
        encoder.flush(send)
        const message = listening.finalize?.()
        if (message === undefined) return
        isFinalDue = true
        socket.send(message)
      },
    }),
    finish() {
      if (isLeaving) return
      isLeaving = true
      encoder.flush(send)
      socket.send(listening.bye)
      farewell = setTimeout(() => {
        end()
        events.end()
      }, farewellMs)
      farewell.unref()
    },
    [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
  }
}

const parsed = (message: string | Uint8Array, { parse = JSON.parse }: SttDialect): unknown =>
  typeof message === 'string' ? parse(message) : message
