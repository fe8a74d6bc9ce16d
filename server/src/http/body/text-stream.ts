// Responses that are streamed, without an envelope.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Yields the text piece by piece, and must end soon after the signal aborts. */
export type StreamedText = (signal: AbortSignal) => AsyncIterable<string>

export class TextStream {
  readonly #text: StreamedText
  readonly #headers: Readonly<Record<string, string>>

  constructor(text: StreamedText, headers: Readonly<Record<string, string>>) {
    this.#text = text
    this.#headers = headers
  }

  /** The socket's backpressure applies: nothing is generated while it is full. */
  send(reply: FastifyReply): FastifyReply {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...this.#headers })
    if (reply.request.method === 'HEAD') return reply.send(Readable.from([]))
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    return reply.send(Readable.from(this.#text(gone.signal), { objectMode: false }))
  }
}

/** Browsers save it under this name. */
export class CsvFile extends TextStream {
  constructor(name: string, lines: StreamedText) {
    super(lines, {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="${name}"`,
    })
  }
}

/** A short, complete text that is not JSON. */
export class PlainText extends TextStream {
  constructor(mediaType: string, text: string) {
    super(
      async function* () {
        yield text
      },
      { 'content-type': `${mediaType}; charset=utf-8` },
    )
  }
}

/** RFC 4180. What a spreadsheet would take for a formula becomes text; a signed number is not a formula. */
export function csvCell(value: unknown): string {
  const text = String(value ?? '')
  const tame = /^[=@+\-\t\r]/.test(text) && !/^[+-]\d+(\.\d+)?$/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(tame) ? `"${tame.replaceAll('"', '""')}"` : tame
}

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
