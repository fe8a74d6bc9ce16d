// Reads a batch sent as a form: a file of CSV, and beside it the settings, those that are no text written as JSON.
import type { Readable } from 'node:stream'
import { type Fault, limits } from '@parley/contract'
import { inspect, parseJson } from '../../http/body.ts'
import { Failure } from '../../http/failure.ts'
import { notAForm, readParts } from '../../http/form.ts'
import type { Upload } from '../../http/upload.ts'
import { readCsv, type TakeRow } from './csv-file.ts'

/** The fields that are JSON inside. */
const inJson = ['max_concurrency', 'calling_window', 'retry_config', 'metadata']

const formLimits = { fields: 100, fieldSize: limits.bodyBytes, files: 2 }

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
      await readFile(file, take)
    },
  })
  faults.push(...ofParts)
  if (!hasFile) faults.push({ path: 'file', message: 'A file of CSV is required.' })
  // Not while the form is being read: nobody would catch what is thrown there.
  for (const name of inJson) if (name in settings) settings[name] = orItself(name, settings[name] as string)
  inspect(settings, '', 0, faults)
  return { settings, faults }
}

/** Whoever stops reading half way lets the rest go by. */
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

/** What is no JSON stays text, and is then refused as not being what it should be. */
function orItself(name: string, text: string): unknown {
  try {
    return parseJson(Buffer.from(text), name) ?? text
  } catch (error) {
    if (error instanceof Failure && error.code === 'INVALID_JSON') return text
    throw error
  }
}
