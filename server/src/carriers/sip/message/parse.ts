// Bytes → a SIP message (RFC 3261 §7, §25). Liberal in white space and spelling, strict in what decides where a message
// goes and ends. A fault is a value: the caller decides whether it is worth an answer.
import { type Header, headerName, noBody, type SipMessage, type SipRequest } from './message.ts'

export interface ParseFault {
  readonly kind: 'fault'
  readonly status: 400 | 413 | 505
  readonly reason: string
  /** The request, if its headers could be read: it can be refused with an answer. */
  readonly request?: SipRequest
}

/** The size of the largest datagram; a stream may not make us buffer more. */
export const maxMessageBytes = 65_535
/** Real messages have far fewer headers; the bound is for hostile ones. */
const maxHeaders = 256

const decoder = new TextDecoder()
const requestLine = /^([A-Za-z0-9\-.!%*_+`'~]+) +(\S(?:.*\S)?) +(SIP\/\d+\.\d+)$/
const statusLine = /^(SIP\/\d+\.\d+) +(\d{3})(?: +(\S.*)?)?$/
const headerLine = /^([A-Za-z0-9\-.!%*_+`'~]+)[ \t]*:(.*)$/

const fault = (status: ParseFault['status'], reason: string, request?: SipRequest): ParseFault => ({
  kind: 'fault',
  status,
  reason,
  ...(request && { request }),
})

/** Where the body begins: after the first empty line. −1: there is no empty line yet. */
export function endOfHeaders(bytes: Uint8Array, from = 0): number {
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] !== 10) continue
    if (bytes[at + 1] === 10) return at + 2
    if (bytes[at + 1] === 13 && bytes[at + 2] === 10) return at + 3
  }
  return -1
}

/** Parses one whole message: a datagram, or what stream-framer.ts cut out of a stream. */
export function parseMessage(bytes: Uint8Array): SipMessage | ParseFault {
  if (bytes.length > maxMessageBytes) return fault(413, 'Message Too Large')
  let start = 0
  // Empty lines before a message are not part of it (§7.5).
  while (bytes[start] === 13 || bytes[start] === 10) start++
  return parseTrimmed(bytes.subarray(start))
}

function parseTrimmed(bytes: Uint8Array): SipMessage | ParseFault {
  const end = endOfHeaders(bytes)
  const head = decoder.decode(end < 0 ? bytes : bytes.subarray(0, end))
  const lines = unfold(head)
  const first = lines.shift()?.trimEnd()
  if (!first) return fault(400, 'Empty Message')
  const headers = readHeaders(lines)
  const message = startOf(first, headers.read)
  if (message.kind === 'fault') return message
  // With two lengths for one body, a proxy that believes the other length reads another message (§20.14).
  const lengths = new Set(
    message.headers.filter(({ name }) => name === 'Content-Length').map(({ value }) => value),
  )
  const isBroken = headers.isBroken || lengths.size > 1
  if (isBroken) return fault(400, 'Malformed Header', message.kind === 'request' ? message : undefined)
  return withBody(message, end < 0 ? noBody : bytes.subarray(end))
}

/** The lines of the head; a line that begins with white space continues the one before (§7.3.1). */
function unfold(head: string): string[] {
  const lines: string[] = []
  for (const line of head.split(/\r?\n/)) {
    if (line === '') continue
    if (/^[ \t]/.test(line) && lines.length > 0) lines.push(`${lines.pop()} ${line.trim()}`)
    else lines.push(line)
  }
  return lines
}

/** Reads the headers that can be read, so that a request with one broken line can still be refused. */
function readHeaders(lines: readonly string[]): { read: Header[]; isBroken: boolean } {
  const read: Header[] = []
  for (const line of lines.slice(0, maxHeaders)) {
    const match = headerLine.exec(line)
    if (match) read.push({ name: headerName(match[1] as string), value: (match[2] as string).trim() })
  }
  return { read, isBroken: read.length < lines.length }
}

function startOf(line: string, headers: readonly Header[]): SipMessage | ParseFault {
  const status = statusLine.exec(line)
  if (status) {
    if (status[1] !== 'SIP/2.0') return fault(505, 'Version Not Supported')
    const code = Number(status[2])
    if (code < 100 || code > 699) return fault(400, 'Malformed Status')
    return { kind: 'response', status: code, reason: status[3] ?? '', headers, body: noBody }
  }
  const request = requestLine.exec(line)
  if (!request) return fault(400, 'Malformed Request Line')
  const [, method, uri, version] = request as unknown as [string, string, string, string]
  const read: SipRequest = { kind: 'request', method, uri, headers, body: noBody }
  if (version !== 'SIP/2.0') return fault(505, 'Version Not Supported', read)
  if (/[\s<>"]/.test(uri)) return fault(400, 'Malformed Request-URI', read)
  return read
}

/** Content-Length cuts off what follows the body in a datagram; a shorter body is a broken message (§18.3). */
function withBody(message: SipMessage, rest: Uint8Array): SipMessage | ParseFault {
  const declared = message.headers.find((header) => header.name === 'Content-Length')?.value
  if (declared === undefined) return { ...message, body: rest }
  const request = message.kind === 'request' ? message : undefined
  if (!/^\d{1,9}$/.test(declared)) return fault(400, 'Malformed Content-Length', request)
  if (Number(declared) > rest.length) return fault(400, 'Content-Length Exceeds Message', request)
  return { ...message, body: rest.subarray(0, Number(declared)) }
}
