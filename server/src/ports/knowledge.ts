// The port of the knowledge base: what a call asks, and what it is answered with.

export interface Passage {
  readonly documentId: string
  readonly chunkId: string
  /** The document's title. */
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

/** The words and vectors of passages, held by the process that searches them. */
export interface PassageIndex {
  /** Whether put() has to have the vectors of a repository; not so if they are searched where they are stored. */
  takesVectors(repositoryId: string, dimensions: number): Promise<boolean>
  /** One document after the other; replaces what is there of these documents. */
  put(repositoryId: string, dimensions: number, documents: readonly PassagesOfDocument[]): void
  remove(repositoryId: string, documentIds: readonly string[]): void
  drop(repositoryId: string): void
  /** The nearest and those with most of the words, in no order. */
  find(question: PassageQuestion, signal?: AbortSignal): Promise<readonly FoundPassage[]>
  /** Memory that it takes. */
  readonly bytes: number
  /** Called when everything that was put is lost. */
  onLost(listener: () => void): void
  close(): Promise<void>
}

export interface PassagesOfDocument {
  readonly documentId: string
  readonly chunkIds: readonly string[]
  /** The stems of each passage, every stem once, on lines of their own. */
  readonly words: readonly string[]
  /** Unit vectors, one after the other; undefined: they can be found by their words only. */
  readonly vectors: Float32Array<ArrayBuffer> | undefined
}

export interface PassageQuestion {
  readonly repositoryId: string
  /** How many the repository has. */
  readonly passages: number
  /** Undefined: by words only. */
  readonly vector: Float32Array | undefined
  /** Stems; none: by the vector only. */
  readonly words: readonly string[]
  /** How many at most by the vector, and as many by words. */
  readonly most: number
  /** Passages whose signs are wanted too, if they are there. */
  readonly further?: readonly string[]
}

export interface FoundPassage {
  readonly chunkId: string
  /** The cosine of the angle between question and passage; undefined: one of them has no vector. */
  readonly similarity: number | undefined
  /** The share of the question's words that it has, the rare ones counting more. From 0 to 1. */
  readonly coverage: number
}
