// The voice detector's events for a recording, captured once and replayed at the same positions.

import { frameMs, type RateHz } from '../server/src/media/frame.ts'
import type { VoiceDetector, VoiceEvent } from '../server/src/ports/voice-detector.ts'
import { framesOf } from '../server/test/props/engines/clips.ts'

export interface DetectorEvent {
  /** How much audio the detector needed before this event. */
  readonly heardMs: number
  readonly event: Exclude<VoiceEvent, { type: 'failed' }>
}

// Fewer windows than the detector queues, so that it drops none.
const aheadMs = 100
const windowMs = 32

/** Runs the detector as fast as it reads. */
export async function hearVoice(
  detector: VoiceDetector,
  samples: Int16Array,
  rateHz: RateHz,
): Promise<DetectorEvent[]> {
  const told: DetectorEvent[] = []
  let [heardMs, writtenMs] = [0, 0]
  let wake = () => {}
  const stream = detector.open(rateHz, (event) => {
    if (event.type === 'failed') throw new Error(event.reason)
    if (event.type === 'probability') heardMs = event.atMs
    told.push({ heardMs, event })
    wake()
  })
  const until = async (ms: number) => {
    while (heardMs < ms)
      await new Promise<void>((done) => {
        wake = done
      })
  }
  for (const frame of framesOf(samples, rateHz)) {
    stream.write(frame)
    writtenMs += frameMs
    await until(writtenMs - aheadMs)
  }
  await until(writtenMs - windowMs + 1)
  stream.close()
  return told
}

export const retell = (told: readonly DetectorEvent[]): VoiceDetector => ({
  open(_rateHz, onEvent) {
    let [place, writtenMs] = [0, 0]
    return {
      write() {
        writtenMs += frameMs
        for (let next = told[place]; next && next.heardMs <= writtenMs; next = told[++place])
          onEvent(next.event)
      },
      close() {},
    }
  },
  async close() {},
})

/** The moments at which endpointing by silence alone would end the turn, in ms of audio. */
export function silencesOf(told: readonly DetectorEvent[], endpointingMs: number): number[] {
  const edges = told.filter(({ event }) => event.type !== 'probability')
  return edges.flatMap(({ heardMs, event }, place) => {
    const doneMs = Math.max(heardMs, event.atMs + endpointingMs)
    const nextMs = edges[place + 1]?.heardMs ?? Number.POSITIVE_INFINITY
    return event.type === 'speech-end' && doneMs < nextMs ? [doneMs] : []
  })
}
