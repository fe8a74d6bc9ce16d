// Receives a document: a file in a form, or JSON with its text or its address.
import type { Readable } from 'node:stream'
import { type Fault, limits, NewDocument, NewDocumentForm } from '@parley/contract'
import { inspect, parseJson } from '../../http/body/body.ts'
import { readParts } from '../../http/body/form.ts'
import { isForm, type Upload } from '../../http/body/upload.ts'
import { faultsIn } from '../../http/body/validate.ts'
import { Failure, fail } from '../../http/failure.ts'

export type ReceivedDocument =
  | {
      readonly of: 'file'
      readonly title: string | null
      readonly filename: string | null
      readonly content: Buffer
    }
  | { readonly of: 'text'; readonly title: string | null; readonly content: Buffer }
  | {
      readonly of: 'url'
      readonly title: string | null
      readonly url: string
      readonly depth: number | undefined
      readonly maxPages: number | undefined
    }

export const receiveDocument = (upload: Upload): Promise<ReceivedDocument> =>
  isForm(upload) ? readForm(upload) : readJson(upload)

async function readJson({ bytes }: Upload): Promise<ReceivedDocument> {
  const content = parseJson(await bytesOf(bytes, limits.bodyBytes + limits.textCharacters))
  const read = NewDocument.safeParse(content)
  if (!read.success) return fail('VALIDATION_ERROR', { details: faultsIn(read, NewDocument) })
  return documentOf(read.data)
}

/** As it is written in JSON. */
export function documentOf({ title = null, text, url, depth, max_pages }: NewDocument): ReceivedDocument {
  return text === undefined
    ? { of: 'url', title, url: url ?? '', depth, maxPages: max_pages }
    : { of: 'text', title, content: Buffer.from(text) }
}

const formLimits = { fields: 10, fieldSize: 10_000, files: 1 }

async function readForm(upload: Upload): Promise<ReceivedDocument> {
  // No prototype, so that any field name is safe.
  const fields: Record<string, unknown> = Object.create(null)
  const faults: Fault[] = []
  let file: { content: Buffer; filename: string | null } | undefined
  const ofParts = await readParts(upload, formLimits, {
    field: (name, value) => {
      fields[name] = value
    },
    file: async (name, stream, filename) => {
      if (name !== 'file') {
        faults.push({ path: name, message: 'The document goes into one field named file.' })
        return void stream.resume()
      }
      file = { content: await bytesOf(chunksOf(stream), limits.documentBytes), filename: nameOf(filename) }
    },
  })
  inspect(fields, '', 0, faults)
  const read = Form.safeParse(fields)
  const details = [...faults, ...ofParts, ...faultsIn(read, Form)]
  if (!file) details.push({ path: 'file', message: 'Is required: the document itself.' })
  if (!file || details.length > 0) return fail('VALIDATION_ERROR', { details })
  return { of: 'file', title: read.data?.title ?? null, ...file }
}

const Form = NewDocumentForm.omit({ file: true })

async function* chunksOf(stream: Readable): AsyncGenerator<Buffer> {
  for await (const chunk of stream) yield chunk as Buffer
}

async function bytesOf(chunks: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const held: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > most)
      throw new Failure('PAYLOAD_TOO_LARGE', {
        message: `A document may have at most ${Math.floor(most / 1024 ** 2)} MB; split it into parts.`,
      })
    held.push(chunk)
  }
  return Buffer.concat(held)
}

/** A name to display, never a path to open. */
const nameOf = (given: string | undefined): string | null =>
  given
    ?.split(/[/\\]/)
    .at(-1)
    ?.replaceAll(/\p{Cc}/gu, '')
    .toWellFormed()
    .slice(0, 255) || null
