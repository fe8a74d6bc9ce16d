// Where large things are kept: a folder by default, any S3-compatible store by setting.
import type { Readable } from 'node:stream'

export interface Stored {
  readonly bytes: number
  /** Changes when the content does; quoted, as HTTP wants it. */
  readonly etag: string
  readonly modifiedAt: Date
}

/** From the first byte to the last, both included. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

export interface Storage {
  /** Takes the file over: when it resolves, the content is safe under this name and the file is gone. */
  take(name: string, file: string): Promise<void>
  /** Undefined when there is nothing of this name. */
  stat(name: string): Promise<Stored | undefined>
  read(name: string, range: ByteRange): Promise<Readable>
  /** Also when there is nothing to remove. */
  remove(name: string): Promise<void>
  close(): void
}
