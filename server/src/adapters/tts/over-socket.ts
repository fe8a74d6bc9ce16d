// The shared half of a streaming synthesizer: connection, clauses out, audio in, cancelling, the end.
import type { RateHz } from '../../media/frame.ts'
import { EventQueue } from '../../platform/event-queue.ts'
import { type SocketAddress, VendorSocket, type VendorSocketOptions } from '../../platform/vendor-socket.ts'
import type {
  SpokenWord,
  SynthesisEvent,
  Synthesizer,
  SynthesizerAbilities,
  SynthesizerOptions,
} from '../../ports/synthesizer.ts'
import type { VendorAccount } from '../../ports/vendor.ts'
import { PcmFrames } from './over-pcm.ts'

export type TtsMessage =
  | { readonly type: 'sound'; readonly pcm: Uint8Array }
  /** From the first audio of the stream. */
  | { readonly type: 'words'; readonly words: readonly SpokenWord[] }
  | { readonly type: 'clause-end' }
  /** Everything that was written has been synthesized. */
  | { readonly type: 'end' }

export interface TtsDialect {
  /** The vendor's name in error messages. */
  readonly label: string
  readonly abilities: SynthesizerAbilities
  connect(options: SynthesizerOptions, account: VendorAccount): SocketAddress
  /** The rate of its audio; undefined: the rate of the line was requested. */
  readonly rateHz?: RateHz | undefined
  write(clause: string): string
  /** Undefined: it needs no flush. */
  readonly flush?: string | undefined
  /** No more text. */
  readonly finish: string
  /** Undefined: closing the connection is the only way to cancel. */
  readonly cancel?: string | undefined
  readonly keepAlive?: VendorSocketOptions['keepAlive']
  /** Decodes its messages: parsed JSON, or bytes. Pure, so that a test is a recorded message and its meaning. */
  decode(message: unknown): readonly TtsMessage[]
}

// A reply has a few dozen clauses; nothing may be dropped.
const mostWaiting = 1_000
// At most ten seconds of audio wait to be read; beyond that the vendor waits.
const mostFrames = 500

/** One connection per stream: after a cancel nothing remains that could be heard in the next. */
export const overSocket =
  (dialect: TtsDialect, pace?: VendorSocketOptions['pace']) =>
  (account: VendorAccount): Synthesizer => ({
    abilities: dialect.abilities,
    open(options, signal) {
      const frames = new PcmFrames(dialect.rateHz ?? options.rateHz, options.rateHz)
      const events = new EventQueue<SynthesisEvent>({
        onLength: (length) => (length > mostFrames ? socket.pause() : socket.resume()),
      })
      const take = (message: TtsMessage) => {
        if (message.type === 'sound')
          for (const frame of frames.push(message.pcm)) events.push({ type: 'frame', frame })
        else if (message.type === 'words') events.push(message)
        else {
          for (const frame of frames.flush()) events.push({ type: 'frame', frame })
          if (message.type === 'clause-end') events.push(message)
          else leave(undefined)
        }
      }
      const socket = new VendorSocket(dialect.connect(options, account), {
        name: dialect.label,
        keepAlive: dialect.keepAlive,
        mostWaiting,
        onMessage: (message) => {
          for (const one of dialect.decode(parsed(message))) take(one)
        },
        onEnd: (error) => events.fail(error),
        ...(pace && { pace }),
      })
      const leave = (bye: string | undefined) => {
        signal.removeEventListener('abort', cancel)
        socket.close(bye)
        events.end()
      }
      const cancel = () => {
        leave(dialect.cancel)
        events.clear()
      }
      if (signal.aborted) cancel()
      else signal.addEventListener('abort', cancel, { once: true })
      return {
        write: (clause) => socket.send(dialect.write(clause)),
        flush() {
          if (dialect.flush !== undefined) socket.send(dialect.flush)
        },
        finish: () => socket.send(dialect.finish),
        cancel,
        [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
      }
    },
  })

const parsed = (message: string | Uint8Array): unknown =>
  typeof message === 'string' ? JSON.parse(message) : message
