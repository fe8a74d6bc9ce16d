// The CSV parser, compared with an independent one.
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MalformedRow } from './check-row.ts'
import { CsvRows } from './csv-rows.ts'

function read(text: string, pieceLength = text.length || 1) {
  const rows = new CsvRows()
  const records = []
  for (let at = 0; at < text.length; at += pieceLength)
    records.push(...rows.push(text.slice(at, at + pieceLength)))
  return [...records, ...rows.end()]
}

const cellsOf = (text: string, pieceLength?: number) => read(text, pieceLength).map(({ cells }) => cells)

/** The same by the other parser; undefined if it finds an error. */
function expected(text: string): string[][] | undefined {
  try {
    return parse(text, {
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      record_delimiter: ['\r\n', '\n'],
    })
  } catch {
    return undefined
  }
}

// Characters with a meaning in CSV, and some without.
const text = fc
  .array(fc.constantFrom('"', '""', ',', '\n', '\r\n', ' ', '\t', 'a', 'b c', 'é', '🙂', '1'), {
    maxLength: 30,
  })
  .map((pieces) => pieces.join(''))

describe('CSV records', () => {
  it('match another parser’s, in chunks of any size', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (written, pieceLength) => {
        const found = cellsOf(written, pieceLength)
        expect(found).toEqual(cellsOf(written))
        // The other parser tolerates some quotes after a closing one; we never accept what it refuses.
        if (!found.some((cells) => cells instanceof MalformedRow)) expect(found).toEqual(expected(written))
      }),
      { numRuns: 2_000 },
    )
  })

  it('survive a round trip', () => {
    const cell = fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', ' ', 'a', 'é', '🙂'), minLength: 1 })
    const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { maxLength: 5 }),
        fc.constantFrom('\n', '\r\n'),
        fc.integer({ min: 1, max: 20 }),
        (records, lineEnd, pieceLength) => {
          const written = records.map((cells) => cells.map(quoted).join(' , ') + lineEnd).join('')
          expect(cellsOf(written, pieceLength)).toEqual(records)
        },
      ),
    )
  })

  it('carry the number of their first line', () => {
    const lines = read('a\n\n"b\nb"\r\nc,"d\n\n"\ne').map(({ line }) => line)
    expect(lines).toEqual([1, 3, 5, 8])
  })

  it.each([
    ['a,b"c\nd', 'middle'],
    ['a,"b"c\nd', 'behind its closing quote'],
    ['d\na,"b\n', 'never closed'],
  ])('%j: the record with an error is reported, the others are read', (written, why) => {
    for (const pieceLength of [1, 3, 100]) {
      const found = cellsOf(written, pieceLength)
      const faulty = found.filter((cells) => cells instanceof MalformedRow)
      expect(faulty).toMatchObject([{ why: expect.stringContaining(why) }])
      expect(found).toContainEqual(['d'])
    }
  })
})
