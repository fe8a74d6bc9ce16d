// Storage for large objects: a folder by default, or any S3-compatible store.
import type { Readable } from 'node:stream'

export interface StoredFile {
  readonly bytes: number
  /** Changes with the content; quoted, as in HTTP. */
  readonly etag: string
  readonly modifiedAt: Date
}

/** First and last byte, inclusive. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

export interface Storage {
  /** Moves the file into storage: when it resolves, the content is stored under this name and the file is gone. */
  take(name: string, file: string): Promise<void>
  /** Undefined if it does not exist. */
  stat(name: string): Promise<StoredFile | undefined>
  read(name: string, range: ByteRange): Promise<Readable>
  /** Succeeds even if it does not exist. */
  remove(name: string): Promise<void>
  close(): void
}
