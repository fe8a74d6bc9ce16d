// The shared half of a streaming transcriber: connection, audio out, events in, the end.
import { type Frame, makeFrame, type RateHz } from '../../media/frame.ts'
import { Resampler } from '../../media/resample.ts'
import { EventQueue } from '../../platform/event-queue.ts'
import { type SocketAddress, VendorSocket, type VendorSocketOptions } from '../../platform/vendor-socket.ts'
import type {
  Transcriber,
  TranscriberAbilities,
  TranscriberOptions,
  TranscriptEvent,
} from '../../ports/transcriber.ts'
import type { VendorAccount } from '../../ports/vendor.ts'

export interface SttDialect {
  /** The vendor's name in error messages. */
  readonly label: string
  readonly abilities: TranscriberAbilities
  connect(options: TranscriberOptions, account: VendorAccount): SocketAddress
  /** The rate that the vendor takes; undefined: that of the line. */
  readonly rateHz?: RateHz | undefined
  /** Encodes our audio; undefined: raw PCM. */
  encode?(samples: Int16Array): string | Uint8Array
  /** Requests the final of what was heard; undefined: the vendor decides by itself. */
  readonly finalize?: string | undefined
  readonly bye: string
  readonly keepAlive?: VendorSocketOptions['keepAlive']
  /** Decodes its messages. Pure, so that a test is a recorded message and the expected events. */
  decode(message: unknown): readonly TranscriptEvent[]
}

// Five seconds of audio: what the caller said while the connection was being opened.
const mostWaiting = 250
// After the closing message the last words come within this, or not at all.
const farewellMs = 3_000

export const overSocket =
  (dialect: SttDialect, pace?: VendorSocketOptions['pace']) =>
  (account: VendorAccount): Transcriber => ({
    abilities: dialect.abilities,
    open(options, signal) {
      const events = new EventQueue<TranscriptEvent>()
      let isLeaving = false
      let farewell: NodeJS.Timeout | undefined
      const socket = new VendorSocket(dialect.connect(options, account), {
        name: dialect.label,
        keepAlive: dialect.keepAlive,
        mostWaiting,
        onMessage: (message) => {
          for (const event of dialect.decode(parsed(message))) events.push(event)
        },
        // After our closing message, a closed connection is expected.
        onEnd: (error) => (isLeaving ? events.end() : events.fail(error)),
        ...(pace && { pace }),
      })
      const end = () => {
        clearTimeout(farewell)
        socket.close()
        events.clear()
      }
      if (signal.aborted) end()
      else signal.addEventListener('abort', end, { once: true })
      const encode = encoder(dialect, options.rateHz)
      return {
        write: (frame) => socket.send(encode(frame)),
        ...(dialect.finalize !== undefined && { finalize: () => socket.send(dialect.finalize ?? '') }),
        finish() {
          if (isLeaving) return
          isLeaving = true
          socket.send(dialect.bye)
          farewell = setTimeout(() => {
            socket.close()
            events.end()
          }, farewellMs)
          farewell.unref()
        },
        [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
      }
    },
  })

/** A copy: the frame is only lent, and the socket sends later. */
function encoder(
  { rateHz, encode = bytesOf }: SttDialect,
  lineHz: RateHz,
): (frame: Frame) => string | Uint8Array {
  if (rateHz === undefined || rateHz === lineHz) return ({ samples }) => encode(samples)
  const resampler = new Resampler(lineHz, rateHz)
  const { samples: out } = makeFrame(rateHz)
  return ({ samples }) => {
    resampler.run(samples, out)
    return encode(out)
  }
}

const bytesOf = (samples: Int16Array): Uint8Array => new Uint8Array(samples.slice().buffer)

const parsed = (message: string | Uint8Array): unknown =>
  typeof message === 'string' ? JSON.parse(message) : message
