// Checks a CSV file before it is sent: the number of rows, the first ones, and what the server would refuse.
import { isCallable, notCallable } from '@parley/contract/telephone-number'

export interface CsvPreview {
  readonly columns: readonly string[]
  readonly rows: number
  readonly first: readonly (readonly string[])[]
  /** The first few faults, as sentences. */
  readonly faults: readonly string[]
  readonly faultyRows: number
}

const shownRows = 5
const shownFaults = 8

export function previewCsv(text: string): CsvPreview {
  const [header = [], ...rows] = recordsOf(text.replace(/^\uFEFF/, ''))
  const columns = header.map((name) => name.trim())
  const number = columns.indexOf('to_phone_number')
  const id = columns.indexOf('recipient_id')
  const ids = new Map<string, number>()
  const faults: string[] = []
  let faultyRows = 0
  const complain = (row: number, sentence: string) => {
    faultyRows++
    if (faults.length < shownFaults) faults.push(`Row ${row}: ${sentence}`)
  }
  rows.forEach((cells, at) => {
    const own = id < 0 ? '' : (cells[id]?.trim() ?? '')
    const before = ids.get(own)
    if (own !== '' && before === undefined) ids.set(own, at + 1)
    if (cells.length !== columns.length)
      complain(at + 1, `${cells.length} cells instead of ${columns.length}.`)
    else if (number >= 0 && !isCallable(cells[number]?.trim() ?? ''))
      complain(at + 1, notCallable(cells[number]))
    else if (own !== '' && before !== undefined) complain(at + 1, `The same recipient_id as row ${before}.`)
  })
  const headless =
    number < 0 ? ['Choose the column with the telephone numbers, or name one to_phone_number.'] : []
  return {
    columns,
    rows: rows.length,
    first: rows.slice(0, shownRows),
    faults: [...headless, ...faults],
    faultyRows,
  }
}

/** The rows of a CSV file as in RFC 4180: cells are quoted where they hold a comma. Lines in which every cell is empty do not count. */
function recordsOf(text: string): string[][] {
  const records: string[][] = []
  let cells: string[] = []
  let cell = ''
  let quoted = false
  const endCell = () => {
    cells.push(cell)
    cell = ''
  }
  const endRecord = () => {
    endCell()
    if (cells.some((written) => written.trim() !== '')) records.push(cells)
    cells = []
  }
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string
    if (quoted) {
      if (character !== '"') cell += character
      else if (text[at + 1] === '"') cell += text[++at]
      else quoted = false
    } else if (character === '"' && cell.trim() === '') {
      quoted = true
      cell = ''
    } else if (character === ',') endCell()
    else if (character === '\n' || character === '\r') endRecord()
    else cell += character
  }
  if (cell !== '' || cells.length > 0) endRecord()
  return records
}

/** The place where the first record ends, which is not always the first line: a quoted heading may hold a line break. */
export function headerEnd(text: string): number {
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') quoted = !quoted
    else if (!quoted && (text[at] === '\n' || text[at] === '\r')) return at
  }
  return text.length
}
