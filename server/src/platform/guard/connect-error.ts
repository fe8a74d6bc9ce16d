// Why a connection could not be opened: a kind for programs and a sentence for a delivery log.

export type ConnectErrorKind = 'refused' | 'dns' | 'connect' | 'tls' | 'reset'

export class ConnectError extends Error {
  readonly kind: ConnectErrorKind

  constructor(kind: ConnectErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** Converts the guard's sentence: 'Must use https.' becomes 'refused: must use https'. */
export const connectionRefused = (reason: string): ConnectError =>
  new ConnectError(
    'refused',
    `refused: ${reason.charAt(0).toLowerCase()}${reason.slice(1).replace(/\.$/, '')}`,
  )

/** The error code of a system call, of OpenSSL or of undici; of several failed attempts, the first. */
export function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}

const isSystemCall = (error: unknown): boolean =>
  error instanceof AggregateError || (error instanceof Error && 'syscall' in error)

/** Describes why a socket could not be opened. */
export function describeSocketError(error: unknown): ConnectError {
  const code = codeOf(error)
  const cause = { cause: error }
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    return new ConnectError('reset', 'the connection was reset', cause)
  }
  if (code === 'ABORT_ERR' || (error instanceof Error && error.name === 'AbortError')) {
    return new ConnectError('connect', 'the connection did not open in time', cause)
  }
  // OpenSSL reports some of its errors as those of a system call.
  if (isSystemCall(error) && code !== 'EPROTO') {
    return new ConnectError('connect', `no connection (${code})`, cause)
  }
  return new ConnectError('tls', describeTls(code), cause)
}

function describeTls(code: string): string {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'the certificate is for another name'
  if (code === 'CERT_HAS_EXPIRED') return 'the certificate has expired'
  if (!code || /^(ERR_SSL|EPROTO|ERR_TLS)/.test(code)) return `no TLS connection${code && ` (${code})`}`
  return `the certificate is not trusted (${code})`
}
