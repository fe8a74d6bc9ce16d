// Reads a batch sent as a form: a file of CSV, and beside it the settings, those that are no text written as JSON.
import type { Readable } from 'node:stream'
import { type Fault, limits } from '@parley/contract'
import { CsvError, type Info, parse } from 'csv-parse'
import { inspect, parseJson } from '../../http/body.ts'
import { Failure, fail } from '../../http/failure.ts'
import { notAForm, readParts } from '../../http/form.ts'
import type { Upload } from '../../http/upload.ts'
import { Misshapen, recipientTooLarge, type WhereOf } from './check-row.ts'
import { utf8Only } from './utf8-only.ts'

/** The columns that are fields of a recipient; every other one is a variable. */
const known = new Set(['to_phone_number', 'recipient_id', 'name', 'timezone'])

/** The fields that are JSON inside. */
const inJson = ['max_concurrency', 'calling_window', 'retry_config', 'metadata']

const formLimits = { fields: 100, fieldSize: limits.bodyBytes, files: 2 }

/** A promise where there is something to wait for. */
export type TakeRow = (row: unknown, whereOf: WhereOf) => Promise<void> | undefined

export interface Written {
  /** As they would stand in JSON, with an empty list of recipients. */
  readonly settings: unknown
  /** Of the form itself. */
  readonly faults: readonly Fault[]
}

/** Every row goes to `take`, one after the other. */
export async function readForm(upload: Upload, take: TakeRow): Promise<Written> {
  // Without a prototype: whatever a field is called, it is only a field.
  const settings: Record<string, unknown> = Object.assign(Object.create(null), { recipients: [] })
  const faults: Fault[] = []
  let hasFile = false
  const ofParts = await readParts(upload, formLimits, {
    field: (name, value) => {
      settings[name] = value
    },
    file: async (name, file) => {
      if (name !== 'file' || hasFile) {
        faults.push({ path: name, message: 'There must be one file, in the field file.' })
        return void file.resume()
      }
      hasFile = true
      await readCsv(file, take)
    },
  })
  faults.push(...ofParts)
  if (!hasFile) faults.push({ path: 'file', message: 'A file of CSV is required.' })
  // Not while the form is being read: nobody would catch what is thrown there.
  for (const name of inJson) if (name in settings) settings[name] = orItself(name, settings[name] as string)
  inspect(settings, '', 0, faults)
  return { settings, faults }
}

/** What is no JSON stays text, and is then refused as not being what it should be. */
function orItself(name: string, text: string): unknown {
  try {
    return parseJson(Buffer.from(text), name) ?? text
  } catch (error) {
    if (error instanceof Failure && error.code === 'INVALID_JSON') return text
    throw error
  }
}

async function readCsv(file: Readable, take: TakeRow): Promise<void> {
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    max_record_size: limits.recipientBytes,
  })
  const checked = file.pipe(utf8Only())
  checked.pipe(parser)
  file.on('error', (cause) => parser.destroy(notAForm(cause)))
  checked.on('error', (error) => parser.destroy(error))
  let columns: string[] | undefined
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      if (columns) await take(recipientOf(columns, record), (row) => `Row ${row} (line ${info.lines})`)
      else columns = checkedHeader(record)
    }
  } catch (error) {
    file.unpipe(checked)
    file.resume()
    if (!(error instanceof CsvError)) throw error
    if (error.code === 'CSV_MAX_RECORD_SIZE') recipientTooLarge()
    refuseFile(error.message)
  }
  if (!columns) refuseFile(noHeader)
}

const refuseFile = (message: string): never =>
  fail('VALIDATION_ERROR', { details: [{ path: 'file', message }] })

const noHeader = 'The first line must name the columns, one of them to_phone_number.'

function checkedHeader(names: string[]): string[] {
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (!names.includes('to_phone_number')) refuseFile(noHeader)
  if (names.includes('')) refuseFile('Every column needs a name in the first line.')
  if (twice !== undefined) refuseFile(`The column ${twice} stands there twice.`)
  return names
}

/** An empty cell is nothing at all. */
function recipientOf(columns: readonly string[], record: readonly string[]): unknown {
  if (record.length !== columns.length)
    return new Misshapen(`Has ${record.length} cells instead of ${columns.length}.`)
  const cells = columns
    .map((name, at) => [name, record[at] as string] as const)
    .filter(([name, cell]) => cell !== '' || name === 'to_phone_number')
  const variables = cells.filter(([name]) => !known.has(name))
  return {
    ...Object.fromEntries(cells.filter(([name]) => known.has(name))),
    ...(variables.length > 0 && { variables: Object.fromEntries(variables) }),
  }
}
