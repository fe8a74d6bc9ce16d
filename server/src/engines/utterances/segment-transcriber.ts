// A transcriber for calls over an engine that recognises whole segments: segments are cut by the call's voice detector,
// and a growing segment is recognised again and again for its partials.
import type {
  Transcriber,
  TranscriberOptions,
  TranscriptEvent,
  TranscriptStream,
} from '../../ports/transcriber.ts'
import type { Recognizer } from './recognition-attempt.ts'
import { TranscriptQueue } from './transcript-queue.ts'
import { Utterances } from './utterances.ts'

/** A stream that needs the detector's events through `hear`; without them it recognises nothing. */
export type ToldStream = Required<TranscriptStream>

export interface SegmentTranscriber extends Transcriber {
  open(...given: Parameters<Transcriber['open']>): ToldStream
  close(): Promise<void>
}

/** `recognizerFor` may emit events of its own, before those of the words that it returns. */
export function openSegments(
  recognizerFor: (emit: (event: TranscriptEvent) => void) => Recognizer,
  { rateHz, endpointingMs }: Pick<TranscriberOptions, 'rateHz' | 'endpointingMs'>,
  signal: AbortSignal,
): ToldStream {
  const events = new TranscriptQueue()
  const emit = (event: TranscriptEvent) => events.push(event)
  const utterances = new Utterances(recognizerFor(emit), {
    rateHz,
    endpointingMs,
    signal,
    onEvent: emit,
    onEnd: () => end(),
    onFailure: (error) => {
      events.fail(error)
      end()
    },
  })
  let open = true
  const end = () => {
    open = false
    events.end()
    signal.removeEventListener('abort', end)
  }
  if (signal.aborted) end()
  else signal.addEventListener('abort', end, { once: true })
  return {
    write: (frame) => void (open && utterances.write(frame)),
    hear: (event) => void (open && utterances.hear(event)),
    finalize: () => void (open && utterances.finalize()),
    finish: () => void (open && utterances.finish()),
    [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
  }
}
