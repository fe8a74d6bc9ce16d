// Event streams split at every position, compared with the whole.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sseParser } from './sse-parse.ts'

const parse = (...pieces: (string | Uint8Array)[]): string[] => {
  const parser = sseParser()
  const events = pieces.flatMap((piece) =>
    parser.push(typeof piece === 'string' ? Buffer.from(piece) : piece),
  )
  return [...events, ...parser.end()]
}

describe('one piece', () => {
  it.each([
    ['line feeds', 'data: a\n\ndata: b\n\n', ['a', 'b']],
    ['carriage returns', 'data: a\r\rdata: b\r\r', ['a', 'b']],
    ['both', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
    ['no space after the colon', 'data:a\n\n', ['a']],
    ['only the first space is not data', 'data:  a\n\n', [' a']],
    ['several lines of data', 'data: {"a":\ndata: 1}\n\n', ['{"a":\n1}']],
    ['comments', ': ping\n\n:\n\ndata: a\n: ping\n\n', ['a']],
    ['other fields', 'event: message\nid: 7\nretry: 10\ndata: a\n\n', ['a']],
    ['a field without a colon', 'data\n\nnonsense\n\n', ['']],
    ['a colon in the data', 'data: a: b\n\n', ['a: b']],
    ['a byte order mark', '\ufeffdata: a\n\n', ['a']],
    ['no empty line at the end', 'data: a\n\ndata: b', ['a', 'b']],
    ['nothing', '', []],
  ])('%s', (_what, text, events) => {
    expect(parse(text)).toEqual(events)
  })
})

it('any stream parses the same however it is split', () => {
  const line = fc.constantFrom('data: a', 'data: ü€😀', ': ping', 'event: x', 'data:', '')
  const end = fc.constantFrom('\n', '\r\n', '\r')
  const stream = fc.array(fc.tuple(line, end)).map((lines) => lines.flat().join(''))
  fc.assert(
    fc.property(stream, fc.array(fc.nat({ max: 200 })), (text, places) => {
      const bytes = Buffer.from(text)
      const cuts = [
        0,
        ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b),
        bytes.length,
      ]
      const pieces = cuts.slice(1).map((cut, place) => bytes.subarray(cuts[place], cut))
      expect(parse(...pieces)).toEqual(parse(bytes))
      expect(parse(...[...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(parse(bytes))
    }),
  )
})

it('a line without end is rejected', () => {
  const parser = sseParser()
  const chunk = Buffer.alloc(100_000, 'x')
  expect(() => {
    for (let turn = 0; turn < 100; turn++) parser.push(chunk)
  }).toThrow('an event without end')
})
