// The port for sentence embeddings.
export interface Embedder {
  /** One unit vector per text, so that a dot product is the similarity. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>
  /** Loads it before the first text. It costs nothing when that has been done. */
  load?(): void
}

/** One whose vectors are stored: those of another cannot be compared with them. */
export interface NamedEmbedder extends Embedder {
  /** The model and what serves it. */
  readonly name: string
  /** `repositoryId`: whose texts they are. */
  embed(
    texts: readonly string[],
    signal?: AbortSignal,
    repositoryId?: string,
  ): Promise<readonly Float32Array[]>
}
