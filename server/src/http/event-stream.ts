// A response of server-sent events: lasts until the events end or the client disconnects.
import { type StreamedText, TextStream } from './body/text-stream.ts'

/** The text of the events. */
export type EventText = StreamedText

export class EventStream extends TextStream {
  constructor(events: EventText) {
    super(events, {
      'content-type': 'text/event-stream; charset=utf-8',
      // Tells proxies not to buffer.
      'x-accel-buffering': 'no',
    })
  }
}
