// Lets a transcriber hear a recording as fast as its voice detector keeps up, and gathers what it says.
import type { RateHz } from '../../../media/frame.ts'
import type { Transcriber, TranscriptEvent } from '../../../ports/transcriber.ts'
import type { VoiceDetector } from '../../../ports/voice-detector.ts'
import { framesOf } from './clips.ts'

// Fewer than the detector lets wait, so that it drops nothing.
const aheadMs = 100

/** A detector that tells how far it has heard. Good for one stream at a time. */
export function watched(detector: VoiceDetector) {
  let heardMs = 0
  let wake = () => {}
  return {
    open(rateHz: RateHz, onEvent: Parameters<VoiceDetector['open']>[1]) {
      heardMs = 0
      return detector.open(rateHz, (event) => {
        onEvent(event)
        if (event.type === 'probability') heardMs = event.atMs
        wake()
      })
    },
    close: () => detector.close(),
    async until(ms: number) {
      while (heardMs < ms)
        await new Promise<void>((done) => {
          wake = done
        })
    },
  }
}

export async function listen(
  transcriber: Transcriber,
  detector: ReturnType<typeof watched>,
  samples: Int16Array,
  rateHz: RateHz,
): Promise<TranscriptEvent[]> {
  const stream = transcriber.open({ model: 'moonshine', rateHz }, AbortSignal.timeout(60_000))
  const events: TranscriptEvent[] = []
  const read = (async () => {
    for await (const event of stream) events.push(event)
  })()
  let writtenMs = 0
  for (const frame of framesOf(samples, rateHz)) {
    stream.write(frame)
    writtenMs += 20
    await detector.until(writtenMs - aheadMs)
  }
  stream.finish()
  await read
  return events
}

export const finalText = (events: readonly TranscriptEvent[]): string =>
  events.flatMap((event) => (event.type === 'final' ? [event.text] : [])).join(' ')
