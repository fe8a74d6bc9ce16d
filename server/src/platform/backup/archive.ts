// The file of a back-up: a gzipped tar, written and read as a stream.
//
//   backup.json                what it is of, and how it was made
//   tables/<table>/<number>    rows as COPY writes them, in pieces; a table after those that it refers to
//   <folder>/<name>            files, such as recordings
//   end.json                   what there was of each; without it the archive is incomplete
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createGunzip, createGzip } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { Refusal, unreadable } from '../refusal.ts'

export interface ArchiveWriter {
  add(name: string, content: Buffer): Promise<void>
  /** The source must have as many bytes as it says. */
  addStream(name: string, bytes: number, source: AsyncIterable<Buffer>): Promise<void>
}

export interface ArchiveEntry {
  readonly name: string
  readonly content: AsyncIterable<Buffer>
}

/**
 * The file is written beside its place and renamed, so that a file with the name is complete. Only its owner can read
 * it.
 */
export async function writeArchive(
  path: string,
  fill: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> {
  const beside = `${path}.part`
  const output = (await openToWrite(path, beside)).createWriteStream()
  // This error is the cause; the archive itself would only say that it was destroyed.
  let broken: unknown
  output.once('error', (error) => {
    broken = error
  })
  const tar = pack()
  // Recordings hardly become smaller, and the database does at the fastest level too.
  const squeeze = createGzip({ level: constants.Z_BEST_SPEED })
  const written = pipeline(tar, squeeze, output)
  const add = async (name: string, size: number, source: AsyncIterable<Buffer> | Iterable<Buffer>) => {
    const { promise: added, resolve, reject } = Promise.withResolvers<void>()
    // Nothing awaits this promise while the archive waits for room.
    added.catch(() => {})
    const entry = tar.entry({ name, size, mode: 0o600 }, (error) => (error ? reject(error) : resolve()))
    for await (const piece of source)
      if (!entry.write(piece)) await Promise.race([once(entry, 'drain'), written])
    entry.end(null)
    await Promise.race([added, written])
  }
  try {
    await fill({ add: (name, content) => add(name, content.length, [content]), addStream: add })
    tar.finalize()
    await written
    await flush(beside)
    await rename(beside, path)
    await flush(dirname(path))
  } catch (error) {
    const cause = broken ? unwritable(path, broken) : error
    tar.destroy()
    await written.catch(() => {})
    await rm(beside, { force: true })
    throw cause
  }
}

/** The file is opened before anything is read for it. */
async function openToWrite(path: string, beside: string): Promise<FileHandle> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (isFolder) throw new Refusal(`${path} is a folder. Name a file in it, such as parley.tar.gz.`)
  try {
    return await open(beside, 'w', 0o600)
  } catch (error) {
    throw unwritable(path, error)
  }
}

function unwritable(path: string, error: unknown): unknown {
  const folder = dirname(path)
  const sentences: Readonly<Record<string, string>> = {
    ENOENT: `There is no folder ${folder}. Make it first, or name another.`,
    ENOTDIR: `${folder} is not a folder. Name another.`,
    EACCES: `This user may not write to the folder ${folder}. Name another.`,
    EROFS: `The folder ${folder} is on a disk that is read-only. Name another.`,
    ENOSPC: `The disk with the folder ${folder} is full. Make room, or name another.`,
  }
  const sentence = sentences[(error as NodeJS.ErrnoException).code ?? '']
  return sentence ? new Refusal(sentence, { cause: error }) : error
}

/** Yields one entry after the other; what is not read of an entry is skipped. */
export async function* readArchive(path: string): AsyncGenerator<ArchiveEntry> {
  const tar = extract()
  const read = pipeline(createReadStream(path), createGunzip(), tar)
  read.catch(() => {})
  try {
    for await (const entry of tar) {
      yield { name: entry.header.name, content: entry as AsyncIterable<Buffer> }
      entry.resume()
    }
    await read
  } catch (error) {
    const refusal = unreadable(path, error)
    if (refusal instanceof Refusal) throw refusal
    const { code, message } = error as NodeJS.ErrnoException
    if (code?.startsWith('Z_') || message.includes('end of data') || message.includes('tar'))
      throw new Refusal(`${path} is incomplete or not a back-up: ${message}.`, { cause: error })
    throw error
  } finally {
    tar.destroy()
  }
}

async function flush(path: string): Promise<void> {
  const handle = await open(path)
  await handle.sync().finally(() => handle.close())
}
