// Uploaded files, in a form or raw: written to a folder until the operation takes them.
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Fault, Operation } from '@parley/contract'
import type { FastifyRequest } from 'fastify'
import { newId } from '../../platform/ids.ts'
import { fail } from '../failure.ts'
import { isJson } from './body.ts'
import { hasBody } from './body-stream.ts'
import { readParts } from './form.ts'
import { isForm, tooLarge, type Upload, type UploadLimit, uploadOf } from './upload.ts'

export interface IncomingFile {
  /** The file at this path is deleted when the operation ends, unless it has been moved away. */
  readonly path: string
  readonly filename: string | null
}

export interface ReceivedForm {
  readonly file: IncomingFile
  /** The other fields of the form, as text; a repeated field has several values. */
  readonly fields: Readonly<Record<string, string[]>>
}

// A form has one file and a handful of options, most of them keyterms.
const formLimits = { fields: 200, fieldSize: 65_536, files: 1 }
const longestFilename = 255

export class FileTray {
  readonly #folder: string
  readonly #limit: UploadLimit & { message: string }

  constructor(folder: string, limitBytes: number) {
    const limit = `${Math.round(limitBytes / 1024 ** 2)} MB`
    this.#folder = folder
    this.#limit = {
      bytes: limitBytes,
      // Uploads have the server's limit for a whole request, PARLEY_UPLOAD_SECONDS, instead.
      ms: Number.POSITIVE_INFINITY,
      message: `A file may have at most ${limit} (PARLEY_UPLOAD_MAX_MB).`,
    }
  }

  /** Removes leftovers of processes that died. */
  async open(olderThanMs: number): Promise<this> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name)
      const stats = await stat(path).catch(() => undefined)
      if (stats && Date.now() - stats.mtimeMs > olderThanMs) await rm(path, { force: true })
    }
    return this
  }

  /** Returns undefined if the body is JSON, where a file is optional. */
  async receive({ file }: Operation, request: FastifyRequest): Promise<ReceivedForm | undefined> {
    if (file === 'none') return undefined
    const type = request.headers['content-type']
    // An empty body of a media type is an empty recording.
    const isAbsent = !hasBody(request.headers) && (file === 'allowed' || type === undefined)
    if (isAbsent || isJson(type)) {
      if (file === 'allowed') return undefined
      return fail('UNSUPPORTED_CONTENT_TYPE', {
        message:
          'Send the recording itself, as multipart/form-data in a field named file, or as the raw body.',
      })
    }
    // The other fields count towards the limit until the file itself is measured.
    const beside = formLimits.fields * formLimits.fieldSize
    const upload = uploadOf(request, { ...this.#limit, bytes: this.#limit.bytes + beside })
    if (!isForm(upload) && file === 'allowed') {
      return fail('UNSUPPORTED_CONTENT_TYPE', { message: 'Send application/json or multipart/form-data.' })
    }
    const path = join(this.#folder, newId())
    try {
      if (isForm(upload)) return await this.#takeForm(upload, path)
      await this.#lay(upload.bytes, path)
      return { file: { path, filename: filenameIn(request.headers['content-disposition']) }, fields: {} }
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
  }

  async #takeForm(upload: Upload, path: string): Promise<ReceivedForm> {
    // No prototype, so that any field name is safe.
    const fields: Record<string, string[]> = Object.create(null)
    const wrong: Fault[] = []
    let file: IncomingFile | undefined
    const ofParts = await readParts(upload, formLimits, {
      field: (name, value) => {
        fields[name] = [...(fields[name] ?? []), value]
      },
      file: async (name, stream, filename) => {
        if (name !== 'file') {
          wrong.push({ path: name, message: 'The recording goes into one field named file.' })
          return void stream.resume()
        }
        file = { path, filename: cleanName(filename) }
        await this.#lay(stream, path)
      },
    })
    const details = [...wrong, ...ofParts]
    if (!file) details.push({ path: 'file', message: 'Is required: the recording itself.' })
    if (!file || details.length > 0) return fail('VALIDATION_ERROR', { details })
    return { file, fields }
  }

  #lay(bytes: AsyncIterable<Buffer>, path: string): Promise<void> {
    const limit = this.#limit
    return pipeline(
      bytes,
      async function* counted(chunks: AsyncIterable<Buffer>) {
        let length = 0
        for await (const chunk of chunks) {
          length += chunk.length
          if (length > limit.bytes) tooLarge(limit)
          yield chunk
        }
      },
      createWriteStream(path, { mode: 0o600 }),
    )
  }
}

const filenameIn = (disposition: string | undefined): string | null =>
  cleanName(/filename="?([^";]+)"?/i.exec(disposition ?? '')?.[1])

/** A name to display, never a path to open. */
function cleanName(given: string | undefined): string | null {
  const name = given
    ?.split(/[/\\]/)
    .at(-1)
    ?.replaceAll(/\p{Cc}/gu, '')
    .toWellFormed()
    .slice(0, longestFilename)
  return name || null
}
