// A thrown row of the error table.
import { type ErrorCode, errors, type Fault } from '@parley/contract'

interface FailureOptions {
  /** Replaces the table's message where a more precise one helps. */
  message?: string
  details?: Fault[]
  cause?: unknown
  /** Extra response headers, such as Retry-After. */
  headers?: Record<string, string>
  /** The request did not arrive as a whole. Such a failure says nothing about the request, and is never replayed. */
  incomplete?: boolean
}

export class Failure extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: Fault[]
  readonly headers: Record<string, string>
  readonly incomplete: boolean

  constructor(code: ErrorCode, options: FailureOptions = {}) {
    const { message, details = [], cause, headers = {}, incomplete = false } = options
    const [status, sentence] = errors[code]
    super(message ?? sentence, { cause })
    this.code = code
    this.status = status
    this.details = details
    this.headers = headers
    this.incomplete = incomplete
  }
}

export function fail(code: ErrorCode, options?: FailureOptions): never {
  throw new Failure(code, options)
}

/** Refuses a request for one of its fields. */
export function refuseField(path: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, message }] })
}
