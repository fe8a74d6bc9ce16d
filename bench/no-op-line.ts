// A line on which nobody answers, at once: what is measured with it is everything around a call.
import type { Carrier } from '../server/src/ports/line.ts'

export const noOpCarrier: Carrier = {
  name: 'no-op',
  dial({ sessionId }, listener) {
    let gone = false
    // After it has returned, as every line.
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
