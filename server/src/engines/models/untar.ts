// Streams a gzipped tar entry by entry, never holding more than a chunk.
//
//   block 0        name 0–99 · size 124–135 (octal) · type 156 · prefix 345–499
//   blocks 1…n     the content, padded to a multiple of 512 bytes
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'

const blockBytes = 512

export interface TarEntry {
  readonly path: string
  /** Read it before asking for the next entry; anything unread is skipped. */
  readonly content: AsyncIterable<Buffer>
}

export async function* untar(tgz: string): AsyncGenerator<TarEntry> {
  const gunzip = createGunzip()
  // Errors of either stream surface in the reader's loop.
  pipeline(createReadStream(tgz), gunzip, () => {})
  const bytes = new ByteReader(gunzip)
  let longPath: string | undefined
  try {
    for (;;) {
      const header = await bytes.exactly(blockBytes)
      if (header.every((byte) => byte === 0)) return
      const size = Number.parseInt(text(header, 124, 136), 8)
      const type = text(header, 156, 157)
      const content = bytes.next(size)
      if (type === 'x') longPath = paxPath(await gathered(content))
      else if (type === '0' || type === '') {
        yield { path: longPath ?? plainPath(header), content }
        longPath = undefined
      }
      for await (const _ of content);
      await bytes.exactly(-size & (blockBytes - 1))
    }
  } finally {
    gunzip.destroy()
  }
}

const text = (block: Buffer, from: number, to: number) => {
  const field = block.subarray(from, to)
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end < 0 ? field.length : end).trim()
}

function plainPath(header: Buffer): string {
  const prefix = text(header, 345, 500)
  return prefix ? `${prefix}/${text(header, 0, 100)}` : text(header, 0, 100)
}

/** A pax header is lines of "<length> <key>=<value>". */
const paxPath = (content: Buffer) => /^\d+ path=(.*)$/m.exec(content.toString('utf8'))?.[1]

async function gathered(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of content) parts.push(part)
  return Buffer.concat(parts)
}

class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]()
  }

  exactly(bytes: number): Promise<Buffer> {
    return gathered(this.next(bytes))
  }

  /** The next `bytes` bytes in chunks of any size; iterating again continues where it stopped. */
  next(bytes: number): AsyncIterableIterator<Buffer> {
    let leftBytes = bytes
    const pull = async (): Promise<IteratorResult<Buffer>> => {
      if (leftBytes === 0) return { done: true, value: undefined }
      if (this.#rest.length === 0) {
        const chunk = await this.#chunks.next()
        if (chunk.done) throw new Error('the tarball ends too early')
        this.#rest = chunk.value
      }
      const part = this.#rest.subarray(0, leftBytes)
      this.#rest = this.#rest.subarray(part.length)
      leftBytes -= part.length
      return { done: false, value: part }
    }
    return {
      next: pull,
      [Symbol.asyncIterator]() {
        return this
      },
    }
  }
}
