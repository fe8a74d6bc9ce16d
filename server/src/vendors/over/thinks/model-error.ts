// Why a language model gave no answer: a kind for the retry logic, a sentence for the call record.
import type { Refusal } from './protocol.ts'

/**
 * `busy`: worth a retry in a moment. `refused`: the same request will be refused again.
 * `late`, `gone`, `garbled`: timeout, no connection, unparseable answer.
 */
export type ModelErrorKind = 'busy' | 'refused' | 'late' | 'gone' | 'garbled'

export class ModelError extends Error {
  readonly kind: ModelErrorKind
  /** The server's Retry-After, if it sent one. */
  readonly retryAfterMs: number | undefined
  /** What the server says about a request that it refuses; undefined: it is not about the request. */
  readonly refusal: Refusal | undefined

  constructor(
    kind: ModelErrorKind,
    message: string,
    more: ErrorOptions & { retryAfterMs?: number | undefined; refusal?: Refusal | undefined } = {},
  ) {
    super(message, more)
    this.kind = kind
    this.retryAfterMs = more.retryAfterMs
    this.refusal = more.refusal
  }
}
