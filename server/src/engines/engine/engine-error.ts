// Why an embedded engine gives no answer: a kind, and one sentence.
export type EngineErrorKind = 'busy' | 'closed' | 'broken'

export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly kind: EngineErrorKind

  constructor(kind: EngineErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
