// Server-sent events out of bytes that may be split anywhere, also inside a line end or a letter.
//
//   : a comment            ignored, and so are `event`, `id` and `retry`
//   data: {"a":            the lines of one event are joined with a line feed
//   data: 1}
//                          an empty line ends the event

// A chunk of a chat completion has a few hundred characters; a line without end is no event stream.
const longestEventChars = 1_000_000

export interface SseParser {
  /** The data of the events that these bytes complete. */
  push(bytes: Uint8Array): string[]
  /** The data of an event whose empty line never came. */
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
    // The line feed that belongs to a carriage return of the bytes before.
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
