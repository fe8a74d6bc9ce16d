// The port for translating transcripts.
export interface Translator {
  /**
   * One translation per text, in order. Throws one sentence when it fails. Languages are codes, as in `en`. `onProgress`
   * is given the share that is done, between 0 and 1.
   */
  translate(
    texts: readonly string[],
    to: string,
    signal: AbortSignal,
    onProgress?: (share: number) => void,
  ): Promise<readonly string[]>
}
