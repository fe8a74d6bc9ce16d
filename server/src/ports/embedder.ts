// The port for sentence embeddings.
export interface Embedder {
  /** Returns one unit vector per text, so that a dot product is the similarity. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>
  /** Loads the engine before the first text. Further calls cost nothing. */
  load?(): void
}

/** An embedder whose vectors are stored: those of another cannot be compared with them. */
export interface NamedEmbedder extends Embedder {
  /** The model and what serves it. */
  readonly name: string
  /** `repositoryId`: the repository that the texts belong to. */
  embed(
    texts: readonly string[],
    signal?: AbortSignal,
    repositoryId?: string,
  ): Promise<readonly Float32Array[]>
}
