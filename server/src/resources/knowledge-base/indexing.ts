// The result of indexing a document.
import type { DocumentType } from '../../ports/document-parser.ts'
import type { NewChunk } from './chunk-store.ts'

/** What was read from the address; undefined: it has none, or its site has read it. */
interface ReadContent {
  readonly content: Buffer
  readonly contentHash: Buffer
}

export type IndexingResult =
  | {
      readonly of: 'passages'
      /** As the document itself says. */
      readonly title: string | null
      readonly mediaType: DocumentType
      readonly read: ReadContent | undefined
      readonly chunks: readonly NewChunk[]
      readonly embedder: string
    }
  /** A duplicate of another document with the same content, as long as there is one. */
  | { readonly of: 'duplicate'; readonly read: ReadContent | undefined }
  | { readonly of: 'site'; readonly urls: readonly string[] }
  | { readonly of: 'failed'; readonly error: string }
