// An answer of server-sent events: it lasts until there is nothing more to tell, or the reader goes.
import { type StreamedText, TextStream } from './text-stream.ts'

/** The text of the events. */
export type EventText = StreamedText

export class EventStream extends TextStream {
  constructor(events: EventText) {
    super(events, {
      'content-type': 'text/event-stream; charset=utf-8',
      // Asks proxies not to gather what is meant to arrive at once.
      'x-accel-buffering': 'no',
    })
  }
}
