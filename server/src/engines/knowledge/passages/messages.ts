// Messages between the main thread and the thread that searches passages.
import type { FoundPassage, PassageQuestion, PassagesOfDocument } from '../../../ports/knowledge.ts'

export type ToPassages =
  | {
      readonly type: 'put'
      readonly repositoryId: string
      readonly dimensions: number
      readonly documents: readonly PassagesOfDocument[]
    }
  | { readonly type: 'remove'; readonly repositoryId: string; readonly documentIds: readonly string[] }
  /** Frees the memory of a repository. */
  | { readonly type: 'drop'; readonly repositoryId: string }
  | ({ readonly type: 'find'; readonly id: number } & PassageQuestion)

export type FromPassages =
  | { readonly type: 'found'; readonly id: number; readonly found: readonly FoundPassage[] }
  | { readonly type: 'size'; readonly repositoryId: string; readonly bytes: number }
