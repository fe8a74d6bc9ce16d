// Messages between the main thread and the thread that searches vectors.
import type { NearestQuestion, NearPassage, VectorsOfDocument } from '../../../ports/knowledge.ts'

export type ToVectors =
  | { readonly type: 'put'; readonly repositoryId: string; readonly documents: readonly VectorsOfDocument[] }
  | { readonly type: 'remove'; readonly repositoryId: string; readonly documentIds: readonly string[] }
  /** Frees the memory of a repository. */
  | { readonly type: 'drop'; readonly repositoryId: string }
  | ({ readonly type: 'nearest'; readonly id: number } & NearestQuestion)

export type FromVectors =
  | { readonly type: 'found'; readonly id: number; readonly found: readonly NearPassage[] }
  | { readonly type: 'size'; readonly repositoryId: string; readonly bytes: number }
