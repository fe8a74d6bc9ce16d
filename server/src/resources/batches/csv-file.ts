// Turns a CSV file into recipients: the header names the columns, every other record is a row.
import { fail } from '../../http/failure.ts'
import { MalformedRow, type WhereOf } from './check-row.ts'
import { type CsvRecord, CsvRows } from './csv-rows.ts'

/** Columns that are fields of a recipient; all others are variables. */
const known = new Set(['to_phone_number', 'recipient_id', 'name', 'timezone'])

/** Returns a promise only if there is something to wait for. */
export type TakeRow = (row: unknown, whereOf: WhereOf) => Promise<void> | undefined

/** Passes the rows to `take` in sequence. */
export async function readCsv(file: AsyncIterable<Buffer>, take: TakeRow): Promise<void> {
  const decode = utf8Decoder()
  const withLineFeeds = lineFeeds()
  const rows = new CsvRows()
  let columns: string[] | undefined
  const takeAll = async (records: readonly CsvRecord[]) => {
    for (const { cells, line } of records) {
      if (isEmpty(cells)) continue
      if (!columns) {
        columns = checkedHeader(cells)
        continue
      }
      const waiting = take(recipientOf(columns, cells), (row) => `Row ${row} (line ${line})`)
      // Most rows only join a buffer, so that there is nothing to await.
      if (waiting) await waiting
    }
  }
  for await (const chunk of file) await takeAll(rows.push(withLineFeeds(decode(chunk))))
  await takeAll([...rows.push(withLineFeeds(decode())), ...rows.end()])
  if (!columns) refuseFile(noHeader)
}

/** Anything other than UTF-8 would be stored as replacement characters. */
function utf8Decoder(): (chunk?: Buffer) => string {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  return (chunk) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      return refuseFile('Is not UTF-8. Save it as “CSV UTF-8”.')
    }
  }
}

/** Some programs for the Mac end lines with a carriage return alone. */
function lineFeeds(): (text: string) => string {
  let held = ''
  return (text) => {
    const all = held + text
    // What follows decides whether it ends a line by itself.
    held = all.endsWith('\r') ? '\r' : ''
    return all.slice(0, all.length - held.length).replaceAll(/\r(?![\r\n])/g, '\n')
  }
}

/** Spreadsheets write such rows below or between the others. */
const isEmpty = (cells: string[] | MalformedRow): boolean =>
  Array.isArray(cells) && cells.every((cell) => cell === '')

const refuseFile = (message: string): never =>
  fail('VALIDATION_ERROR', { details: [{ path: 'file', message }] })

const noHeader = 'The first line must name the columns, one of them to_phone_number.'

function checkedHeader(names: string[] | MalformedRow): string[] {
  if (names instanceof MalformedRow) return refuseFile(`The first line: ${names.why}`)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (!names.includes('to_phone_number')) refuseFile(noHeader)
  // Assigning it would set the prototype, not a variable.
  if (names.includes('__proto__')) refuseFile('A column cannot be named __proto__.')
  if (names.includes('')) refuseFile('Every column needs a name in the first line.')
  if (twice !== undefined) refuseFile(`The column ${twice} stands there twice.`)
  return names
}

/** An empty cell is an absent field. */
function recipientOf(columns: readonly string[], record: string[] | MalformedRow): unknown {
  if (record instanceof MalformedRow) return record
  if (record.length !== columns.length)
    return new MalformedRow(`Has ${record.length} cells instead of ${columns.length}.`)
  const recipient: Record<string, unknown> = {}
  let variables: Record<string, string> | undefined
  for (const [at, name] of columns.entries()) {
    const cell = record[at] as string
    if (cell === '' && name !== 'to_phone_number') continue
    if (known.has(name)) recipient[name] = cell
    else {
      variables ??= {}
      variables[name] = cell
    }
  }
  return variables ? { ...recipient, variables } : recipient
}
