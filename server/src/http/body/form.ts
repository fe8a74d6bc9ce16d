// Streams a multipart form: fields as text, files as streams for the caller to read.
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { Busboy } from '@fastify/busboy'
import type { Fault } from '@parley/contract'
import { Failure } from '../failure.ts'
import type { Upload } from './upload.ts'

export interface FormLimits {
  readonly fields: number
  /** In characters. */
  readonly fieldSize: number
  readonly files: number
}

/** Neither may throw synchronously: nothing would catch it. */
export interface FormReader {
  field(name: string, value: string): void
  /** Must consume the stream or let it go. */
  file(name: string, stream: Readable, filename: string): Promise<void>
}

// These limits exceed what our forms need, and are cheap to hold in memory.
const everyForm = { fieldNameSize: 100, headerPairs: 50 }

/** Returns what is wrong with the form itself. */
export async function readParts(
  { contentType, bytes }: Upload,
  limits: FormLimits,
  reader: FormReader,
): Promise<Fault[]> {
  const form = formOf(contentType, limits)
  const files: Readable[] = []
  const readings: Promise<void>[] = []
  const faults: Fault[] = []
  const whole = new Promise<void>((resolve, reject) => {
    form.on('error', (cause) => reject(notAForm(cause)))
    form.on('finish', resolve)
    form.on('field', (name, value, _nameCut, valueCut) => {
      if (valueCut)
        faults.push({ path: name, message: `Must be at most ${limits.fieldSize} characters long.` })
      else reader.field(name, value)
    })
    form.on('file', (name, file, filename) => {
      // The reader sees the error; without a reader it must not crash the process.
      file.on('error', () => {})
      const reading = reader.file(name, file, filename)
      reading.catch(reject)
      files.push(file)
      readings.push(reading)
    })
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
      form.on(limit, () => faults.push({ path: '', message: 'The form has too many fields.' }))
  })
  // The rejection is handled where the promise is awaited next.
  whole.catch(() => {})
  try {
    for await (const chunk of bytes) {
      if (!form.write(chunk)) await Promise.race([drained(form), whole])
    }
    form.end()
    await untilComplete(whole, readings)
    await Promise.all(readings)
    return faults
  } catch (error) {
    // Streams that are not ended would keep their readers waiting forever.
    for (const file of files) file.destroy(error as Error)
    await Promise.allSettled(readings)
    throw error
  }
}

// When this time begins, everything has arrived and is in memory.
const endMs = 250

/** If the header of a part never ends, the parser waits forever without an error. */
async function untilComplete(whole: Promise<void>, readings: readonly Promise<void>[]): Promise<void> {
  let known: number
  do {
    known = readings.length
    // Readers write to disk or to the database, which may take longer.
    await Promise.race([Promise.all(readings), whole])
    const isOver = await Promise.race([whole.then(() => true), sleep(endMs, false, { ref: false })])
    if (isOver) return
  } while (readings.length !== known)
  throw notAForm('the parser waits for more')
}

function formOf(contentType: string, limits: FormLimits) {
  try {
    const parts = limits.fields + limits.files
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { ...everyForm, ...limits, parts },
    })
  } catch (cause) {
    throw notAForm(cause)
  }
}

export const notAForm = (cause: unknown): Failure =>
  new Failure('MALFORMED_REQUEST', {
    message: 'The body is not a well-formed multipart/form-data.',
    cause,
  })

const drained = (form: NodeJS.WritableStream) => new Promise<void>((resolve) => form.once('drain', resolve))
