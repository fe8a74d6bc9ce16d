// The port of the knowledge base: what a call asks, and what it is answered with.

export interface Passage {
  readonly documentId: string
  readonly chunkId: string
  /** Of the document. */
  readonly title: string
  /** The headings above it, from the outermost; null: none. */
  readonly heading: string | null
  readonly text: string
  /** How well it fits, from 0 to 1. */
  readonly score: number
}

export interface KnowledgeQuestion {
  readonly repositoryIds: readonly string[]
  readonly query: string
  /** Undefined: as many as the repositories say. */
  readonly topK?: number | undefined
}

/** Passages, best first, whatever their score. Throws one sentence. */
export type SearchKnowledge = (
  question: KnowledgeQuestion,
  signal?: AbortSignal,
) => Promise<readonly Passage[]>

/** For calls. */
export interface CallKnowledge {
  readonly search: SearchKnowledge
  /** Loads what the first question needs. */
  prepare(repositoryIds: readonly string[]): void
}

/** The vectors of repositories, held by whoever searches them. */
export interface VectorIndex {
  /** Unit vectors of one document after the other; replaces what is there of these documents. */
  put(repositoryId: string, documents: readonly VectorsOfDocument[]): void
  remove(repositoryId: string, documentIds: readonly string[]): void
  drop(repositoryId: string): void
  /** The nearest of each repository, and those that are wanted by id. */
  nearest(question: NearestQuestion, signal?: AbortSignal): Promise<readonly NearPassage[]>
  /** Memory that it takes. */
  readonly bytes: number
  /** Called when everything that was put is lost. */
  onLost(listener: () => void): void
  close(): Promise<void>
}

export interface VectorsOfDocument {
  readonly documentId: string
  readonly version: number
  readonly chunkIds: readonly string[]
  readonly vectors: Float32Array<ArrayBuffer>
}

export interface NearestQuestion {
  readonly repositoryIds: readonly string[]
  readonly vector: Float32Array
  readonly most: number
  readonly wanted: readonly string[]
}

export interface NearPassage {
  readonly chunkId: string
  /** The cosine of the angle between the two. */
  readonly similarity: number
}
