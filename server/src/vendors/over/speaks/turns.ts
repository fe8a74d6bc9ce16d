// Sayings of vendors that speak one text at a time: the next clause is sent when the last one is done, so that its end is
// known, and times that count from the beginning of a clause become those of the saying.
import { frameMs, type RateHz } from '../../../media/frame.ts'
import type { OutgoingMessage } from '../wire/vendor-socket.ts'
import type { TtsMessage, TtsSaying } from './dialect.ts'

/** `done`: the clause has been synthesized. */
export type TurnMessage =
  | Exclude<TtsMessage, { type: 'clause-end' | 'end' | 'cleared' }>
  | { readonly type: 'done' }

export interface Turns {
  /** The rate of the vendor's audio, 16-bit PCM. */
  readonly rateHz: RateHz
  speak(clause: string): readonly OutgoingMessage[]
  /** Undefined: what is being spoken cannot be stopped. Its `done` has to follow all the same. */
  cancel?(): OutgoingMessage | readonly OutgoingMessage[]
  /** Times of words count from the beginning of the clause. */
  decode(message: unknown): readonly TurnMessage[]
}

export function oneAtATime({ rateHz, speak, cancel, decode }: Turns): TtsSaying {
  const waiting: string[] = []
  let unflushed = ''
  const bytesPerMs = (rateHz * 2) / 1000
  let isSpeaking = false
  let isCancelled = false
  let begunMs = 0
  let bytes = 0

  const next = (): readonly OutgoingMessage[] => {
    const clause = isSpeaking ? undefined : waiting.shift()
    if (clause === undefined) return []
    isSpeaking = true
    return speak(clause)
  }

  const done = (): readonly TtsMessage[] => {
    isSpeaking = false
    if (isCancelled) return [{ type: 'cleared' }]
    // The last frame of a clause is padded.
    begunMs += Math.ceil(bytes / bytesPerMs / frameMs) * frameMs
    bytes = 0
    return [{ type: 'clause-end' }, { type: 'send', messages: next() }]
  }

  return {
    write(clause) {
      unflushed = unflushed ? `${unflushed} ${clause}` : clause
      return []
    },
    flush() {
      waiting.push(unflushed)
      unflushed = ''
      return next()
    },
    cancel() {
      isCancelled = true
      waiting.length = 0
      return isSpeaking && cancel ? cancel() : []
    },
    isIdle: () => !isSpeaking,
    decode: (raw) =>
      decode(raw).flatMap((message): readonly TtsMessage[] => {
        if (message.type === 'done') return isSpeaking ? done() : []
        if (message.type === 'sound') bytes += message.pcm.length
        if (message.type !== 'words') return [message]
        const words = message.words.map(({ text, startMs, endMs }) => ({
          text,
          startMs: begunMs + startMs,
          endMs: begunMs + endMs,
        }))
        return [{ type: 'words', words }]
      }),
  }
}
