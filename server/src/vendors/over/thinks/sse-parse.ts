// Parses server-sent events from bytes that may be split anywhere, even inside a line end or a character.
//
//   : a comment            ignored, and so are `event`, `id` and `retry`
//   data: {"a":            the lines of one event are joined with a line feed
//   data: 1}
//                          an empty line ends the event

// A chat completion chunk has a few hundred characters; an endless line is not an event stream.
const longestEventChars = 1_000_000

export interface SseParser {
  /** The data of the events that these bytes complete. */
  push(bytes: Uint8Array): string[]
  /** The data of a last event without its empty line. */
  end(): string[]
}

export function sseParser(): SseParser {
  const decoder = new TextDecoder()
  let line = ''
  let data: string[] = []
  let afterReturn = false

  const complete = (): string[] => {
    const event = data
    data = []
    return event.length > 0 ? [event.join('\n')] : []
  }

  const takeLine = (text: string): string[] => {
    if (text === '') return complete()
    const [, field, value = ''] = text.match(/^([^:]*)(?:: ?(.*))?$/s) ?? []
    if (field === 'data') data.push(value)
    return []
  }

  const takeText = (text: string): string[] => {
    // The line feed of a CRLF whose carriage return ended the previous chunk.
    const whole = line + (afterReturn && text.startsWith('\n') ? text.slice(1) : text)
    if (text !== '') afterReturn = text.endsWith('\r')
    const lines = whole.split(/\r\n|\r|\n/)
    line = lines.pop() ?? ''
    if (line.length > longestEventChars) throw new Error('an event without end')
    return lines.flatMap(takeLine)
  }

  return {
    push: (bytes) => takeText(decoder.decode(bytes, { stream: true })),
    end: () => [...takeText(decoder.decode()), ...(line ? takeLine(line) : []), ...complete()],
  }
}
