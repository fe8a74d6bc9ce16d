// Files on their way in: read as they come, in a form or raw, and laid down in a folder until the operation takes them.
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy } from '@fastify/busboy'
import type { Fault, Operation } from '@parley/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { newId } from '../platform/ids.ts'
import { Failure, fail } from './failure.ts'

export interface Upload {
  /** Lies there until the operation is over, unless it is moved away. */
  readonly path: string
  readonly filename: string | null
}

export interface Received {
  readonly upload: Upload
  /** The other fields of the form, as text; a field that came twice has both. */
  readonly fields: Readonly<Record<string, string[]>>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    upload?: boolean
  }
}

// A form has a file and a handful of options; keyterms are the most of them.
const formLimits = {
  fields: 200,
  fieldSize: 65_536,
  fieldNameSize: 100,
  files: 1,
  parts: 210,
  headerPairs: 50,
}
const longestFilename = 255

/** Lets the routes that take files have them as they come, and no others. */
export function acceptUploads(app: FastifyInstance): void {
  app.addContentTypeParser('*', (request, payload, done) => {
    if (request.routeOptions.config?.upload) done(null, payload)
    else done(new Failure('UNSUPPORTED_CONTENT_TYPE'))
  })
}

export class Uploads {
  private readonly folder: string
  private readonly limitBytes: number

  constructor(folder: string, limitBytes: number) {
    this.folder = folder
    this.limitBytes = limitBytes
  }

  /** Removes what was left half way by a process that died. */
  async open(olderThanMs: number): Promise<this> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    for (const name of await readdir(this.folder)) {
      const path = join(this.folder, name)
      const found = await stat(path).catch(() => undefined)
      if (found && Date.now() - found.mtimeMs > olderThanMs) await rm(path, { force: true })
    }
    return this
  }

  /** Undefined when the body is JSON, as it may be where a file is not required. */
  async receive({ upload }: Operation, request: FastifyRequest): Promise<Received | undefined> {
    if (upload === 'none') return undefined
    if (!(request.body instanceof Readable)) {
      if (upload === 'allowed') return undefined
      return fail('UNSUPPORTED_CONTENT_TYPE', {
        message:
          'Send the recording itself, as multipart/form-data in a field named file, or as the raw body.',
      })
    }
    const declared = Number(request.headers['content-length'] ?? 0)
    if (declared > this.limitBytes + formLimits.fields * formLimits.fieldSize) this.tooLarge()
    const form = /^multipart\/form-data/i.test(request.headers['content-type'] ?? '')
    if (form) return this.readForm(request, request.body)
    if (upload === 'allowed') {
      return fail('UNSUPPORTED_CONTENT_TYPE', { message: 'Send application/json or multipart/form-data.' })
    }
    const path = this.freshPath()
    await this.discardedOnFailure(path, () => this.lay(request.body as Readable, path).catch(brokenOff))
    return { upload: { path, filename: filenameIn(request.headers['content-disposition']) }, fields: {} }
  }

  private readForm(request: FastifyRequest, body: Readable): Promise<Received> {
    const path = this.freshPath()
    return this.discardedOnFailure(path, async () => {
      const fields: Record<string, string[]> = Object.create(null)
      let part: Readable | undefined
      let laid: Promise<void> | undefined
      let filename: string | null = null
      let fault: Failure | undefined
      const form = formOf(request)
      form.on('file', (name, stream, given) => {
        if (name === 'file' && !laid) {
          filename = cleanName(given)
          part = stream
          laid = this.lay(stream, path)
          // Awaited below; until then nobody may call it unhandled.
          laid.catch((error) => form.destroy(error))
        } else {
          fault ??= misfit(name, 'The recording goes into one field named file.')
          stream.resume()
        }
      })
      form.on('field', (name, value, _nameCut, valueCut) => {
        if (valueCut) fault ??= misfit(name, `Must be at most ${formLimits.fieldSize} characters long.`)
        const before = fields[name]
        fields[name] = [...(before ?? []), value]
      })
      for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
        form.on(limit, () => (fault ??= misfit('', 'The form has too many fields.')))
      await pipeline(body, form).catch((error) => {
        // It would wait for the rest for ever, with the file open.
        part?.destroy()
        throw isOurs(error) ? error : misfit('', 'The form is cut off or not well-formed.', error)
      })
      await laid
      if (fault) throw fault
      if (!laid) throw misfit('file', 'Is required: the recording itself.')
      return { upload: { path, filename }, fields }
    })
  }

  private freshPath(): string {
    return join(this.folder, newId())
  }

  private async discardedOnFailure<T>(path: string, act: () => Promise<T>): Promise<T> {
    try {
      return await act()
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
  }

  private async lay(stream: Readable, path: string): Promise<void> {
    let bytes = 0
    const counted = new Transform({
      transform: (chunk, _encoding, done) => {
        bytes += chunk.length
        try {
          if (bytes > this.limitBytes) this.tooLarge()
          done(null, chunk)
        } catch (error) {
          done(error as Failure)
        }
      },
    })
    await pipeline(stream, counted, createWriteStream(path, { mode: 0o600 }))
  }

  private tooLarge(): never {
    const limit = `${Math.round(this.limitBytes / 1024 ** 2)} MB`
    return fail('PAYLOAD_TOO_LARGE', { message: `A file may have at most ${limit} (PARLEY_UPLOAD_MAX_MB).` })
  }
}

function formOf({ headers }: FastifyRequest) {
  try {
    return new Busboy({ headers: headers as { 'content-type': string }, limits: formLimits })
  } catch (error) {
    throw misfit('', 'The form says no boundary between its fields.', error)
  }
}

/** Said by us, or by a disk that is full: not the sender's doing. */
const isOurs = (error: NodeJS.ErrnoException): boolean =>
  error instanceof Failure || (error.syscall !== undefined && error.code !== 'ECONNRESET')

function brokenOff(error: NodeJS.ErrnoException): never {
  throw isOurs(error)
    ? error
    : new Failure('MALFORMED_REQUEST', { message: 'The upload broke off.', cause: error })
}

const misfit = (path: string, message: string, cause?: unknown): Failure =>
  new Failure('VALIDATION_ERROR', { details: [{ path, message } satisfies Fault], cause })

const filenameIn = (disposition: string | undefined): string | null =>
  cleanName(/filename="?([^";]+)"?/i.exec(disposition ?? '')?.[1])

/** A name to show, never a path to open. */
function cleanName(given: string | undefined): string | null {
  const name = given
    ?.split(/[/\\]/)
    .at(-1)
    ?.replaceAll(/\p{Cc}/gu, '')
    .toWellFormed()
    .slice(0, longestFilename)
  return name || null
}
