// Why a language model gave no answer: a word for whoever tries again, a sentence for the record of the call.

/**
 * `busy`: worth another try in a moment. `refused`: the same request will be refused again.
 * `late`, `gone`, `garbled`: nothing, no connection, or nothing that can be read.
 */
export type ModelErrorKind = 'busy' | 'refused' | 'late' | 'gone' | 'garbled'

export class ModelError extends Error {
  readonly kind: ModelErrorKind
  /** What the server asked us to wait, if it did. */
  readonly retryAfterMs: number | undefined
  /** The option that the server refuses, if it names one. */
  readonly param: string | undefined

  constructor(
    kind: ModelErrorKind,
    message: string,
    more: ErrorOptions & { retryAfterMs?: number | undefined; param?: string | undefined } = {},
  ) {
    super(message, more)
    this.kind = kind
    this.retryAfterMs = more.retryAfterMs
    this.param = more.param
  }
}
