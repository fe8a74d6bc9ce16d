// A SIP message in memory (RFC 3261 §7): headers keep their order and their text; typed readings of them are in headers.ts.

export interface Header {
  /** The header's usual spelling, whatever spelling or compact form it arrived in. */
  readonly name: string
  readonly value: string
}

interface MessageParts {
  readonly headers: readonly Header[]
  readonly body: Uint8Array
}

export interface SipRequest extends MessageParts {
  readonly kind: 'request'
  readonly method: string
  /** The request URI as text: a proxy's parameters must come back untouched. */
  readonly uri: string
}

export interface SipResponse extends MessageParts {
  readonly kind: 'response'
  readonly status: number
  readonly reason: string
}

export type SipMessage = SipRequest | SipResponse

export const noBody = new Uint8Array(0)

/** The compact forms that are registered with IANA, and the headers whose spelling is not Title-Case. */
const spellings = new Map<string, string>([
  ['a', 'Accept-Contact'],
  ['b', 'Referred-By'],
  ['c', 'Content-Type'],
  ['d', 'Request-Disposition'],
  ['e', 'Content-Encoding'],
  ['f', 'From'],
  ['i', 'Call-ID'],
  ['j', 'Reject-Contact'],
  ['k', 'Supported'],
  ['l', 'Content-Length'],
  ['m', 'Contact'],
  ['n', 'Identity-Info'],
  ['o', 'Event'],
  ['r', 'Refer-To'],
  ['s', 'Subject'],
  ['t', 'To'],
  ['u', 'Allow-Events'],
  ['v', 'Via'],
  ['x', 'Session-Expires'],
  ['y', 'Identity'],
  ['call-id', 'Call-ID'],
  ['cseq', 'CSeq'],
  ['mime-version', 'MIME-Version'],
  ['min-se', 'Min-SE'],
  ['rseq', 'RSeq'],
  ['rack', 'RAck'],
  ['www-authenticate', 'WWW-Authenticate'],
  ['sip-etag', 'SIP-ETag'],
  ['sip-if-match', 'SIP-If-Match'],
])

/** The usual spelling of a header's name; names are compared in it. */
export function headerName(written: string): string {
  const lower = written.toLowerCase()
  return (
    spellings.get(lower) ?? lower.replace(/(^|-)([a-z])/g, (_, dash, letter) => dash + letter.toUpperCase())
  )
}

export const headerOf = (message: SipMessage, name: string): string | undefined =>
  message.headers.find((header) => header.name === name)?.value

export const headersOf = (message: SipMessage, name: string): string[] =>
  message.headers.filter((header) => header.name === name).map((header) => header.value)

/** Every element of a header that may hold a list, over all its lines. */
export const elementsOf = (message: SipMessage, name: string): string[] =>
  headersOf(message, name).flatMap(splitList)

/** Splits at commas that are neither in quotes nor in angle brackets. */
export function splitList(value: string): string[] {
  const elements: string[] = []
  let start = 0
  let quoted = false
  let bracketed = false
  for (let at = 0; at < value.length; at++) {
    const char = value[at]
    if (quoted) {
      if (char === '\\') at++
      else if (char === '"') quoted = false
    } else if (char === '"') quoted = true
    else if (char === '<') bracketed = true
    else if (char === '>') bracketed = false
    else if (char === ',' && !bracketed) {
      elements.push(value.slice(start, at).trim())
      start = at + 1
    }
  }
  elements.push(value.slice(start).trim())
  return elements.filter((element) => element !== '')
}

const decoder = new TextDecoder()

export const bodyText = (message: SipMessage): string => decoder.decode(message.body)

const encoder = new TextEncoder()

export function printMessage(message: SipMessage): Uint8Array {
  const start =
    message.kind === 'request'
      ? `${message.method} ${message.uri} SIP/2.0`
      : `SIP/2.0 ${message.status} ${message.reason}`
  const lines = [start]
  for (const { name, value } of message.headers)
    if (name !== 'Content-Length') lines.push(`${name}: ${value}`)
  lines.push(`Content-Length: ${message.body.length}`, '', '')
  const head = encoder.encode(lines.join('\r\n'))
  return message.body.length === 0 ? head : Buffer.concat([head, message.body])
}
