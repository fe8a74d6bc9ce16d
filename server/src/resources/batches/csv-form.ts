// Reads a batch sent as a multipart form: a CSV file and its settings; settings that are not text are JSON.
import type { Readable } from 'node:stream'
import { type Fault, limits } from '@parley/contract'
import { inspect, parseJson } from '../../http/body/body.ts'
import { notAForm, readParts } from '../../http/body/form.ts'
import type { Upload } from '../../http/body/upload.ts'
import { Failure } from '../../http/failure.ts'
import { readCsv, type TakeRow } from './csv-file.ts'

/** The fields that contain JSON. */
const inJson = ['max_concurrency', 'calling_window', 'retry_config', 'metadata']

const formLimits = { fields: 100, fieldSize: limits.bodyBytes, files: 2 }

export interface BatchForm {
  /** The settings as they would be in JSON, with an empty list of recipients. */
  readonly settings: unknown
  /** Faults of the form itself. */
  readonly faults: readonly Fault[]
}

/** Passes the rows to `take` in sequence. */
export async function readForm(upload: Upload, take: TakeRow): Promise<BatchForm> {
  // No prototype, so that any field name is safe.
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
      await readFile(file, take)
    },
  })
  faults.push(...ofParts)
  if (!hasFile) faults.push({ path: 'file', message: 'A file of CSV is required.' })
  // The fields are parsed only now, because nothing would catch an error while the form is parsed.
  for (const name of inJson)
    if (name in settings) settings[name] = parseOrText(name, settings[name] as string)
  inspect(settings, '', 0, faults)
  return { settings, faults }
}

/** If reading stops early, the rest is drained. */
async function readFile(file: Readable, take: TakeRow): Promise<void> {
  let broken: unknown
  file.on('error', (error) => {
    broken = error
  })
  try {
    await readCsv(file.iterator({ destroyOnReturn: false }), take)
  } catch (error) {
    file.resume()
    throw error === broken ? notAForm(error) : error
  }
}

/** Invalid JSON stays text, and is then refused by its schema. */
function parseOrText(name: string, text: string): unknown {
  try {
    const value = parseJson(Buffer.from(text), name)
    return value === undefined ? text : value
  } catch (error) {
    if (error instanceof Failure && error.code === 'INVALID_JSON') return text
    throw error
  }
}
