// An answer of server-sent events: it lasts until there is nothing more to tell, or the reader goes.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** The text of the events; must end soon after the signal aborts. */
export type EventText = (signal: AbortSignal) => AsyncIterable<string>

export class EventStream {
  private readonly events: EventText

  constructor(events: EventText) {
    this.events = events
  }

  /** Read at the reader's own pace: nothing is asked for while the socket is full. */
  send(reply: FastifyReply): FastifyReply {
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    return reply
      .headers({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        // Asks proxies not to gather what is meant to arrive at once.
        'x-accel-buffering': 'no',
      })
      .send(Readable.from(this.events(gone.signal), { objectMode: false }))
  }
}
