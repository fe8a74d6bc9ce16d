// The line of the imaginary carrier: every received frame is a hiss, and the other side hangs up after a while.
import type { MessagePort } from 'node:worker_threads'
import { soundOnly } from '../../../src/carriers/over-sound-only.ts'
import { makeFrame } from '../../../src/media/frame.ts'
import type { Ticker } from '../../../src/platform/clock/ticker.ts'
import type { Line, LineAbilities, LineListener } from '../../../src/ports/line.ts'

const rateHz = 16_000
const codec = { name: 'COO', rateHz }

export const pigeonAbilities: LineAbilities = { ...soundOnly.can, codecs: [codec] }

/** The other side hangs up after `flightTicks`. */
export interface Flight {
  readonly callSid: string
  readonly flightTicks: number
  /** Reports to the sender how many frames of the agent had sound. */
  readonly home?: MessagePort
}

export function openPigeonLine(
  { callSid, flightTicks, home }: Flight,
  listener: LineListener,
  ticker: Pick<Ticker, 'add'>,
): Line {
  const frame = makeFrame(rateHz)
  // A hiss: a tone would be taken for the beep of an answering machine.
  for (let i = 0; i < frame.samples.length; i++) frame.samples[i] = ((i * 7_919) % 997) * 6 - 3_000
  let [flown, sounded] = [0, 0]
  const subscription = ticker.add(() => {
    flown++
    if (flown === 1) listener.onEvent({ type: 'answered', codec })
    else if (flown < flightTicks) listener.onFrame(frame)
    else {
      land()
      const carrierCause = { protocol: 'pigeon', code: 7, text: 'Tired' }
      listener.onEvent({ type: 'ended', cause: 'hangup', carrierCause })
    }
  })
  const land = () => {
    subscription.end()
    home?.postMessage({ sounded })
    home?.close()
  }
  return {
    ...soundOnly,
    can: pigeonAbilities,
    rateHz,
    callSid,
    send({ samples }) {
      if (samples.some((sample) => sample !== 0)) sounded++
    },
    hangUp: land,
  }
}
