// Why a language model gave no answer: a kind for the retry logic, a sentence for the call record.

/**
 * `busy`: worth a retry in a moment. `refused`: the same request will be refused again.
 * `late`, `gone`, `garbled`: timeout, no connection, unparseable answer.
 */
export type ModelErrorKind = 'busy' | 'refused' | 'late' | 'gone' | 'garbled'

export class ModelError extends Error {
  readonly kind: ModelErrorKind
  /** The server's Retry-After, if it sent one. */
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
