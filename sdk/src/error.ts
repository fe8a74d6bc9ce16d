// The error that a refused request throws.
import type { ErrorBody, ErrorCode, Fault } from './wire.ts'

export class ParleyError extends Error {
  override readonly name = 'ParleyError'
  readonly status: number
  readonly code: ErrorCode | 'UNEXPECTED_ANSWER'
  /** One row per fault, each naming the field. */
  readonly details: readonly Fault[]
  readonly requestId: string | undefined

  constructor(status: number, body: Partial<ErrorBody>) {
    const faults = body.details?.map(({ path, message }) => `${path}: ${message}`).join('; ')
    super([body.message ?? `The service answered ${status}.`, faults].filter(Boolean).join(' '))
    this.status = status
    this.code = body.code ?? 'UNEXPECTED_ANSWER'
    this.details = body.details ?? []
    this.requestId = body.request_id
  }
}
