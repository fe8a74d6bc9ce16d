// A line on which nobody answers, at once: it measures everything around a call.
import type { CarrierDescription } from '../server/src/carriers/description.ts'
import { soundOnly } from '../server/src/carriers/over-sound-only.ts'
import type { Carrier } from '../server/src/ports/line.ts'

const noOpCarrier: Carrier = {
  dial({ sessionId }, listener) {
    let gone = false
    // After dial has returned, as with any line.
    setImmediate(() => {
      if (!gone) listener.onEvent({ type: 'ringing' })
      if (!gone) listener.onEvent({ type: 'ended', cause: 'no-answer' })
    })
    return {
      ...soundOnly,
      rateHz: 8_000,
      callSid: sessionId,
      send() {},
      hangUp() {
        gone = true
      },
    }
  },
  close() {},
}

export const noOp: CarrierDescription = { name: 'no-op', can: soundOnly.can, open: () => noOpCarrier }
