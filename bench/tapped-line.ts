// A line between a call and whatever carries it: notes when it was answered and when each frame left, and how loud.
import type { Dialler, DialOrder, Line, LineListener } from '../server/src/ports/line.ts'

export interface Tap {
  onAnswered(atMs: number): void
  onSent(atMs: number, samples: Int16Array): void
}

export function tapped(carrier: Dialler, call: DialOrder, listener: LineListener, tap: Tap): Line {
  const line = carrier.dial(call, {
    onEvent(event) {
      if (event.type === 'answered') tap.onAnswered(performance.now())
      listener.onEvent(event)
    },
    onFrame: (frame) => listener.onFrame(frame),
  })
  return {
    rateHz: line.rateHz,
    callSid: line.callSid,
    can: line.can,
    sendDigits: (digits) => line.sendDigits(digits),
    hold: (on) => line.hold(on),
    transfer: (request) => line.transfer(request),
    hangUp: (reason) => line.hangUp(reason),
    send(frame) {
      tap.onSent(performance.now(), frame.samples)
      line.send(frame)
    },
  }
}
