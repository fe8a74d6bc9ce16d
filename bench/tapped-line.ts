// Wraps a carrier and records when a call was answered, when each frame left, and how loud it was.
import type { Carrier, Dialling, Line, LineListener } from '../server/src/ports/line.ts'

export interface Tap {
  onAnswered(atMs: number): void
  onSent(atMs: number, samples: Int16Array): void
}

export function tapped(carrier: Carrier, call: Dialling, listener: LineListener, tap: Tap): Line {
  const line = carrier.dial(call, {
    onEvent(event) {
      if (event.type === 'answered') tap.onAnswered(performance.now())
      listener.onEvent(event)
    },
    onFrame: (frame) => listener.onFrame(frame),
  })
  return {
    ...line,
    send(frame) {
      tap.onSent(performance.now(), frame.samples)
      line.send(frame)
    },
  }
}
