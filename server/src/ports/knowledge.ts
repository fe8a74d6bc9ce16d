// The port of the knowledge base: the questions of a call, and their answers.

export interface Passage {
  readonly documentId: string
  readonly chunkId: string
  readonly title: string
  /** The headings above the passage, from the outermost; null: none. */
  readonly heading: string | null
  readonly text: string
  /** How well the passage fits the question, from 0 to 1. */
  readonly score: number
}

export interface KnowledgeQuestion {
  readonly repositoryIds: readonly string[]
  readonly query: string
  /** The number of passages; undefined: as many as the repositories say. */
  readonly topK?: number | undefined
}

/** Finds passages, best first, whatever their score. Throws one sentence. */
export type SearchKnowledge = (
  question: KnowledgeQuestion,
  signal?: AbortSignal,
) => Promise<readonly Passage[]>

export interface CallKnowledge {
  readonly search: SearchKnowledge
  /** Loads what the first question needs. */
  prepare(repositoryIds: readonly string[]): void
}

/** The words and vectors of passages, held by the process that searches them. */
export interface PassageIndex {
  /** Whether `put` needs the vectors of a repository: not if they are searched where they are stored. */
  takesVectors(repositoryId: string, dimensions: number): Promise<boolean>
  /** Adds one document after the other; replaces what is there of these documents. */
  put(repositoryId: string, dimensions: number, documents: readonly PassagesOfDocument[]): void
  remove(repositoryId: string, documentIds: readonly string[]): void
  drop(repositoryId: string): void
  /** Finds the nearest passages and those with most of the words, in no order. */
  find(question: PassageQuestion, signal?: AbortSignal): Promise<readonly FoundPassage[]>
  /** The memory that the index takes. */
  readonly bytes: number
  /** Reports that everything that was put is lost. */
  onLost(listener: () => void): void
  close(): Promise<void>
}

export interface PassagesOfDocument {
  readonly documentId: string
  readonly chunkIds: readonly string[]
  /** The stems of each passage, every stem once, on lines of their own. */
  readonly words: readonly string[]
  /** Unit vectors, one after the other; undefined: the passages can be found by their words only. */
  readonly vectors: Float32Array<ArrayBuffer> | undefined
}

export interface PassageQuestion {
  readonly repositoryId: string
  /** The number of passages in the repository. */
  readonly passages: number
  /** The vector of the question; undefined: search by words only. */
  readonly vector: Float32Array | undefined
  /** The stems of the question; none: search by the vector only. */
  readonly words: readonly string[]
  /** The most passages to find by the vector, and as many by words. */
  readonly most: number
  /** Passages whose figures are wanted too, if they are there. */
  readonly further?: readonly string[]
}

export interface FoundPassage {
  readonly chunkId: string
  /** The cosine of the angle between question and passage; undefined: one of them has no vector. */
  readonly similarity: number | undefined
  /** The share of the question's words that the passage has, the rare ones counting more. From 0 to 1. */
  readonly coverage: number
}
