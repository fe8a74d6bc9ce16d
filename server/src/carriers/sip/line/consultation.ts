// A second call of a line, to the target of a transfer: the agent talks with it first, or the two are joined at once.
import { type Frame, makeFrame, type RateHz } from '../../../media/frame.ts'
import { mixInto } from '../../../media/mix.ts'
import type { Consultation, LineEvent, LineListener, TransferResult } from '../../../ports/line.ts'

/** A line that can be joined with another one. */
export interface Joinable {
  readonly rateHz: RateHz
  /** Gives received frames to `take` from now on; frames of the engine are not sent any more. */
  divert(take: (frame: Frame) => void): void
  relay(frame: Frame): void
  hangUp(reason?: string): void
}

/** The line that places the second call. */
export interface FirstLine extends Joinable {
  /** Gives a frame to the listener of the line. */
  hear(frame: Frame): void
  /** Ends the call, because the target has left. */
  leave(): void
}

type State = 'calling' | 'answered' | 'joined' | 'over'

export function placeConsultation(
  first: FirstLine,
  place: (listener: LineListener) => Joinable,
  listener: LineListener,
): Consultation {
  let state: State = 'calling'
  const second = place({
    onEvent(event) {
      if (state === 'over') return
      if (event.type === 'ended') {
        const wasJoined = state === 'joined'
        state = 'over'
        if (wasJoined) return first.leave()
      } else if (state === 'joined') return
      if (event.type === 'answered') state = 'answered'
      listener.onEvent(event)
    },
    onFrame(frame) {
      if (state === 'answered') listener.onFrame(frame)
    },
  })
  return {
    send(frame) {
      if (state === 'answered') second.relay(frame)
    },
    async join() {
      if (state !== 'answered') throw new Error('The target of the transfer has not answered, or has left.')
      state = 'joined'
      join(first, second)
    },
    hangUp(reason) {
      if (state === 'joined' || state === 'over') return
      state = 'over'
      second.hangUp(reason)
    },
  }
}

/** Each of the two hears the other; the listener of the first hears both. Their frames come with the same tick. */
function join(first: FirstLine, second: Joinable): void {
  const fromSecond = makeFrame(first.rateHz)
  const both = makeFrame(first.rateHz)
  second.divert((frame) => {
    first.relay(frame)
    fromSecond.samples.set(frame.samples)
  })
  first.divert((frame) => {
    second.relay(frame)
    both.samples.set(frame.samples)
    mixInto(both.samples, fromSecond.samples)
    fromSecond.samples.fill(0)
    first.hear(both)
  })
}

/** Places a second call that is joined as soon as it is answered. */
export function bridgedTransfer(
  consult: (listener: LineListener) => Consultation,
  onEvent: (event: LineEvent) => void,
): Promise<TransferResult> {
  return new Promise((resolve) => {
    onEvent({ type: 'transfer-progress', is: 'trying' })
    const second = consult({
      onEvent(event) {
        if (event.type === 'ringing') onEvent({ type: 'transfer-progress', is: 'ringing' })
        else if (event.type === 'answered')
          void second.join().then(
            () => resolve({ is: 'bridged' }),
            ({ message }: Error) => resolve({ is: 'failed', reason: message }),
          )
        else if (event.type === 'ended') resolve(failureOf(event))
      },
      onFrame() {},
    })
  })
}

const reasons = {
  hangup: 'The target hung up.',
  busy: 'The target is busy.',
  rejected: 'The target rejected the call.',
  unreachable: 'The target cannot be reached.',
  'no-answer': 'The target did not answer.',
  'no-trunk': 'The trunk did not answer.',
  failed: 'The target could not be called.',
} as const

const failureOf = ({
  cause,
  reason,
  carrierCause,
}: Extract<LineEvent, { readonly type: 'ended' }>): TransferResult => ({
  is: 'failed',
  reason: reason ?? reasons[cause],
  cause,
  ...(carrierCause && { carrierCause }),
})
