// The port for sentence embeddings.
export interface Embedder {
  /** One unit vector per text, so that a dot product is the similarity. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>
}
