// Our 2xx to an INVITE is repeated until its ACK comes, over every transport: a proxy in between may lose it (RFC 3261 §13.3.1.4).
import { type After, doubledToT2, giveUpAfter, repeat } from '../transport/timers.ts'

export interface UntilAck {
  readonly sequence: number
  acknowledge(): void
  cancel(): void
}

export interface UntilAckParts {
  readonly after: After
  readonly sequence: number
  readonly send: () => void
  readonly onAck: () => void
  /** 32 s without one: the call is over. */
  readonly onTimeout: () => void
}

export function untilAck({ after, sequence, send, onAck, onTimeout }: UntilAckParts): UntilAck {
  const stopRepeating = repeat(after, send, doubledToT2)
  const stopWaiting = after(giveUpAfter, () => {
    stopRepeating()
    onTimeout()
  })
  const cancel = () => {
    stopRepeating()
    stopWaiting()
  }
  return {
    sequence,
    acknowledge() {
      cancel()
      onAck()
    },
    cancel,
  }
}
