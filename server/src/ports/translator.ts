// What the speech-to-text service asks of whoever translates.
export interface Translator {
  /** One text for each, in order. Throws one sentence when it fails. Languages are codes, as in `en`. */
  translate(texts: readonly string[], to: string, signal: AbortSignal): Promise<readonly string[]>
}
