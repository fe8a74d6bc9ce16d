// The port for translating transcripts.
export interface Translator {
  /** One translation per text, in order. Throws one sentence when it fails. Languages are codes, as in `en`. */
  translate(texts: readonly string[], to: string, signal: AbortSignal): Promise<readonly string[]>
}
