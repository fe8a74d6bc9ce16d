// Feeds a recording to a transcriber as fast as the voice detector keeps up, and collects its events.

import { sileroWindowMs } from '../../../src/engines/silero/silero-windows.ts'
import type { RateHz } from '../../../src/media/frame.ts'
import type { HeardWord, Transcriber, TranscriptEvent } from '../../../src/ports/transcriber.ts'
import type { VoiceDetector } from '../../../src/ports/voice-detector.ts'
import { settled } from '../virtual-clock/outstanding-work.ts'
import { framesOf } from './clips.ts'

const never = new AbortController().signal

// Fewer than the detector queues, so that it drops nothing.
const aheadMs = 100

export interface Ears {
  readonly transcriber: Transcriber
  readonly detector: VoiceDetector
}

export interface ListenOptions {
  readonly language?: string
  /** Engines get all the time they need between two frames, as on an idle machine: so there are partials. */
  readonly isLive?: boolean
  readonly wordTimes?: boolean
}

export async function listen(
  { transcriber, detector }: Ears,
  samples: Int16Array,
  rateHz: RateHz,
  { language, isLive = false, wordTimes = false }: ListenOptions = {},
): Promise<TranscriptEvent[]> {
  const stream = transcriber.open({ model: '', language, rateHz, endpointingMs: 500, wordTimes }, never)
  const events: TranscriptEvent[] = []
  const read = (async () => {
    for await (const event of stream) events.push(event)
  })()
  let heardMs = 0
  let wake = () => {}
  const voice = detector.open(rateHz, (event) => {
    stream.hear?.(event)
    if (event.type === 'probability') heardMs = event.atMs
    wake()
  })
  const until = async (ms: number) => {
    while (heardMs < ms)
      await new Promise<void>((done) => {
        wake = done
      })
  }
  let writtenMs = 0
  for (const frame of framesOf(samples, rateHz)) {
    stream.write(frame)
    voice.write(frame)
    writtenMs += 20
    if (isLive) await settled()
    await until(writtenMs - aheadMs)
  }
  // Less than one window is left unprocessed at the end.
  await until(writtenMs - sileroWindowMs + 1)
  stream.finish()
  voice.close()
  await read
  return events
}

export const finalText = (events: readonly TranscriptEvent[]): string =>
  events.flatMap((event) => (event.type === 'final' ? [event.text] : [])).join(' ')

/** Of all finals; empty if one of them has no times. */
export function finalWords(events: readonly TranscriptEvent[]): readonly HeardWord[] {
  const finals = events.filter((event) => event.type === 'final' && event.text !== '')
  const words = finals.map((event) => (event.type === 'final' ? (event.words ?? []) : []))
  return words.every(({ length }) => length > 0) ? words.flat() : []
}
