// Reads a form as it comes: its fields as text, its files as streams that somebody else reads.
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { Busboy } from '@fastify/busboy'
import type { Fault } from '@parley/contract'
import { Failure } from './failure.ts'
import type { Upload } from './upload.ts'

export interface FormLimits {
  readonly fields: number
  /** Characters. */
  readonly fieldSize: number
  readonly files: number
}

/** Neither may throw at once: nobody would catch it. */
export interface FormReader {
  field(name: string, value: string): void
  /** Reads the stream to its end, or lets it go. */
  file(name: string, stream: Readable, filename: string): Promise<void>
}

// More than any form of ours needs, and little to hold.
const everyForm = { fieldNameSize: 100, headerPairs: 50 }

/** What is wrong with the form itself. */
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
      // Whoever reads it hears of an error; one that nobody reads must not bring the process down.
      file.on('error', () => {})
      const reading = reader.file(name, file, filename)
      reading.catch(reject)
      files.push(file)
      readings.push(reading)
    })
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
      form.on(limit, () => faults.push({ path: '', message: 'The form has too many fields.' }))
  })
  // Heard by whoever waits for it next.
  whole.catch(() => {})
  try {
    for await (const chunk of bytes) {
      if (!form.write(chunk)) await Promise.race([drained(form), whole])
    }
    form.end()
    await atItsEnd(whole, readings)
    await Promise.all(readings)
    return faults
  } catch (error) {
    // They would wait for the rest for ever.
    for (const file of files) file.destroy(error as Error)
    await Promise.allSettled(readings)
    throw error
  }
}

// All of it has come by then, and is in memory.
const endMs = 250

/** A part whose head never ends lets the parser wait for ever, without a word. */
async function atItsEnd(whole: Promise<void>, readings: readonly Promise<void>[]): Promise<void> {
  let known: number
  do {
    known = readings.length
    // What is read goes to a disk or a database, which may take its time.
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
