// A line that ends unanswered at once: it measures everything around a call.
import type { Carrier } from '../server/src/ports/line.ts'

export const noOpCarrier: Carrier = {
  name: 'no-op',
  dial({ sessionId }, listener) {
    let gone = false
    // After dial has returned, as with any line.
    setImmediate(() => {
      if (!gone) listener.onEvent({ type: 'ringing' })
      if (!gone) listener.onEvent({ type: 'ended', cause: 'no-answer' })
    })
    return {
      rateHz: 8_000,
      callSid: sessionId,
      send() {},
      hangUp() {
        gone = true
      },
    }
  },
}
