// Reads a batch sent as a form: a file of CSV, and beside it the settings, those that are no text written as JSON.
import { setTimeout as sleep } from 'node:timers/promises'
import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import { type Fault, limits } from '@parley/contract'
import { inspect, parseJson } from '../../http/body.ts'
import { Failure } from '../../http/failure.ts'
import type { Upload } from '../../http/upload.ts'
import { readCsv, type TakeRow } from './csv-file.ts'

/** The fields that are JSON inside. */
const inJson = ['max_concurrency', 'calling_window', 'retry_config', 'metadata']

export interface Written {
  /** As they would stand in JSON, with an empty list of recipients. */
  readonly settings: unknown
  /** Of the form itself. */
  readonly faults: readonly Fault[]
}

/** Every row goes to `take`, one after the other. */
export async function readForm({ contentType, bytes }: Upload, take: TakeRow): Promise<Written> {
  // Without a prototype: whatever a field is called, it is only a field.
  const settings: Record<string, unknown> = Object.assign(Object.create(null), { recipients: [] })
  const faults: Fault[] = []
  let reading: Promise<void> | undefined
  const form = formReader(contentType)
  const whole = new Promise<void>((resolve, reject) => {
    form.on('error', (cause) => reject(notAForm(cause)))
    form.on('finish', resolve)
    form.on('field', (name, value) => {
      settings[name] = value
    })
    form.on('file', (name, file) => {
      if (name !== 'file' || reading) {
        faults.push({ path: name, message: 'There must be one file, in the field file.' })
        return void file.resume()
      }
      reading = readFile(file, take)
      reading.catch(reject)
    })
  })
  // Heard by whoever waits for it next.
  whole.catch(() => {})
  for await (const chunk of bytes) {
    if (!form.write(chunk)) await Promise.race([drained(form), whole])
  }
  form.end()
  await atItsEnd(whole, () => reading)
  if (!reading) faults.push({ path: 'file', message: 'A file of CSV is required.' })
  // Not while the form is being read: nobody would catch what is thrown there.
  for (const name of inJson) if (name in settings) settings[name] = orItself(name, settings[name] as string)
  inspect(settings, '', 0, faults)
  return { settings, faults }
}

/** Whoever stops reading half way lets the rest go by. */
async function readFile(file: BusboyFileStream, take: TakeRow): Promise<void> {
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

// All of it has come by then, and is in memory.
const endMs = 250

/** A part whose head never ends lets the parser wait for ever, without a word. */
async function atItsEnd(whole: Promise<void>, reading: () => Promise<void> | undefined): Promise<void> {
  let known: Promise<void> | undefined
  do {
    known = reading()
    // Rows go to the database, which may take its time.
    await known
    const isOver = await Promise.race([whole.then(() => true), sleep(endMs, false, { ref: false })])
    if (isOver) return
  } while (reading() !== known)
  throw notAForm('the parser waits for more')
}

const formReader = (contentType: string) => {
  try {
    const fieldSize = limits.bodyBytes
    const headers = { 'content-type': contentType }
    return new Busboy({ headers, limits: { fieldSize, fields: 100, files: 2 } })
  } catch (cause) {
    throw notAForm(cause)
  }
}

const notAForm = (cause: unknown): Failure =>
  new Failure('MALFORMED_REQUEST', {
    message: 'The body is not a well-formed multipart/form-data.',
    cause,
  })

const drained = (form: NodeJS.WritableStream) => new Promise<void>((resolve) => form.once('drain', resolve))

/** What is no JSON stays text, and is then refused as not being what it should be. */
function orItself(name: string, text: string): unknown {
  try {
    return parseJson(Buffer.from(text), name) ?? text
  } catch (error) {
    if (error instanceof Failure && error.code === 'INVALID_JSON') return text
    throw error
  }
}
