// Reads a form as it comes: its fields as text, its files as streams that somebody else reads.
import type { Readable } from 'node:stream'
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

export interface FormReader {
  field(name: string, value: string): void
  /** Reads the stream to its end, or lets it go. */
  file(name: string, stream: Readable, filename: string): Promise<void>
}

// More than any form of ours needs, and little to hold.
const everyForm = { fieldNameSize: 100, headerPairs: 50 }

export async function readForm(
  { contentType, bytes }: Upload,
  limits: FormLimits,
  reader: FormReader,
): Promise<void> {
  const form = formOf(contentType, limits)
  const files: { stream: Readable; read: Promise<void> }[] = []
  let fault: Failure | undefined
  const whole = new Promise<void>((resolve, reject) => {
    form.on('error', (cause) => reject(notAForm(cause)))
    form.on('finish', resolve)
    form.on('field', (name, value, _nameCut, valueCut) => {
      if (valueCut) fault ??= misfit(name, `Must be at most ${limits.fieldSize} characters long.`)
      else reader.field(name, value)
    })
    form.on('file', (name, stream, filename) => {
      // Whoever reads it hears of an error; one that nobody reads must not bring the process down.
      stream.on('error', () => {})
      const read = reader.file(name, stream, filename)
      read.catch(reject)
      files.push({ stream, read })
    })
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
      form.on(limit, () => (fault ??= misfit('', 'The form has too many fields.')))
  })
  // Heard by whoever waits for it next.
  whole.catch(() => {})
  try {
    for await (const chunk of bytes) {
      if (!form.write(chunk)) await Promise.race([drained(form), whole])
    }
    form.end()
    await whole
    await Promise.all(files.map(({ read }) => read))
  } catch (error) {
    // They would wait for the rest for ever.
    for (const { stream } of files) stream.destroy(error as Error)
    await Promise.allSettled(files.map(({ read }) => read))
    throw error
  }
  if (fault) throw fault
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

const notAForm = (cause: unknown): Failure =>
  new Failure('MALFORMED_REQUEST', {
    message: 'The body is not a well-formed multipart/form-data.',
    cause,
  })

/** A field that is not as it should be. */
export const misfit = (path: string, message: string): Failure =>
  new Failure('VALIDATION_ERROR', { details: [{ path, message } satisfies Fault] })

const drained = (form: NodeJS.WritableStream) => new Promise<void>((resolve) => form.once('drain', resolve))
