// A transcriber for calls over an engine that recognises whole segments: segments are cut by the call's voice detector,
// and a growing segment is recognised again and again for its partials.
import type {
  Transcriber,
  TranscriberOptions,
  TranscriptEvent,
  TranscriptStream,
} from '../../ports/transcriber.ts'
import type { Recognizer } from './recognition-attempt.ts'
import { Utterances } from './utterances.ts'

/** A stream that needs the detector's events through `hear`; without them it recognises nothing. */
export type ToldStream = Required<TranscriptStream>

export interface SegmentTranscriber extends Transcriber {
  open(...given: Parameters<Transcriber['open']>): ToldStream
  /** Loads the engine before the first words. Rejects if it cannot be loaded. */
  load(): Promise<void>
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

type End = { readonly with: 'quiet' } | { readonly with: 'error'; readonly error: Error }

/** Unread events of one stream; an unread partial is replaced by the next. */
export class TranscriptQueue implements AsyncIterable<TranscriptEvent> {
  readonly #events: TranscriptEvent[] = []
  #end: End | undefined
  #wake = () => {}

  push(event: TranscriptEvent): void {
    if (this.#end) return
    if (event.type === 'partial' && this.#events.at(-1)?.type === 'partial') this.#events.pop()
    this.#events.push(event)
    this.#wake()
  }

  end(): void {
    this.#end ??= { with: 'quiet' }
    this.#wake()
  }

  fail(error: Error): void {
    this.#end ??= { with: 'error', error }
    this.#wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TranscriptEvent> {
    for (;;) {
      const event = this.#events.shift()
      if (event) yield event
      else if (this.#end?.with === 'error') throw this.#end.error
      else if (this.#end) return
      else
        await new Promise<void>((done) => {
          this.#wake = done
        })
    }
  }
}
