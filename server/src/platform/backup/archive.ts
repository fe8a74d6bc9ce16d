// The file of a back-up: a gzipped tar, written and read as a stream.
//
//   backup.json                what it is of, and how it was made
//   tables/<table>/<number>    rows as COPY writes them, in pieces; a table after those that it refers to
//   <folder>/<name>            files, such as recordings
//   end.json                   what there was of each; without it the archive is incomplete
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createGunzip, createGzip } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { Refusal } from '../refusal.ts'

export interface ArchiveWriter {
  add(name: string, content: Buffer): Promise<void>
  /** The source must have as many bytes as it says. */
  addStream(name: string, bytes: number, source: AsyncIterable<Buffer>): Promise<void>
}

export interface ArchiveEntry {
  readonly name: string
  readonly content: AsyncIterable<Buffer>
}

/** Written beside and renamed: whatever has the name is complete. Readable by its owner only. */
export async function writeArchive(
  path: string,
  fill: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> {
  const beside = `${path}.part`
  const tar = pack()
  // Recordings hardly become smaller, and the database does at the fastest level too.
  const squeeze = createGzip({ level: constants.Z_BEST_SPEED })
  const written = pipeline(tar, squeeze, createWriteStream(beside, { mode: 0o600 }))
  const add = async (name: string, size: number, source: AsyncIterable<Buffer> | Iterable<Buffer>) => {
    const { promise: added, resolve, reject } = Promise.withResolvers<void>()
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
    tar.destroy()
    await written.catch(() => {})
    await rm(beside, { force: true })
    throw error
  }
}

/** One after the other; what is not read of one is passed over. */
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
    const { code, message } = error as NodeJS.ErrnoException
    if (error instanceof Refusal || code === 'ENOENT') throw error
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
