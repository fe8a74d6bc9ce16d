// Typed readings of the headers that routing and dialogs depend on: Via, From, To, Contact, Route, CSeq.
import { elementsOf, headerOf, type SipMessage } from './message.ts'
import { parseUri, readParameters, type Uri, unquote } from './uri.ts'

export interface NameAddress {
  readonly displayName: string | null
  /** The address as written, for comparison and for requests that must repeat it. */
  readonly address: string
  /** null: the address has a form that we cannot read (another scheme). */
  readonly uri: Uri | null
  readonly parameters: ReadonlyMap<string, string | null>
}

/** `"Alice" <sip:a@b>;tag=1` or `sip:a@b;tag=1`: without brackets all parameters are the header's (§20.10). */
export function parseNameAddress(text: string): NameAddress | null {
  const open = afterQuoted(text)
  const opening = text.indexOf('<', open)
  if (opening < 0) return parsePlainAddress(text)
  const closing = text.indexOf('>', opening)
  if (closing < 0) return null
  const name = text.slice(0, opening).trim()
  const rest = text.slice(closing + 1).trim()
  if (rest !== '' && !rest.startsWith(';')) return null
  if (!isDisplayName(name)) return null
  const address = text.slice(opening + 1, closing).trim()
  return {
    displayName: name === '' ? null : unquote(name),
    address,
    uri: parseUri(address),
    parameters: readParameters(rest),
  }
}

/** Where the quoted name ends, 0 if there is none. Brackets inside a quoted name are text. */
function afterQuoted(text: string): number {
  const start = text.length - text.trimStart().length
  if (text[start] !== '"') return 0
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at + 1
  }
  return text.length
}

/** A display name is one quoted string, or words without quotes. */
const isDisplayName = (name: string): boolean =>
  name.startsWith('"') ? afterQuoted(name) === name.length && name.length > 1 : !/["<>]/.test(name)

function parsePlainAddress(text: string): NameAddress | null {
  const semicolon = text.indexOf(';')
  const address = (semicolon < 0 ? text : text.slice(0, semicolon)).trim()
  if (address === '' || /[<>"\s]/.test(address)) return null
  return {
    displayName: null,
    address,
    uri: parseUri(address),
    parameters: readParameters(semicolon < 0 ? '' : text.slice(semicolon)),
  }
}

export const addressIn = (message: SipMessage, header: 'From' | 'To' | 'Contact'): NameAddress | null => {
  const value = header === 'Contact' ? elementsOf(message, header)[0] : headerOf(message, header)
  return value === undefined ? null : parseNameAddress(value)
}

export const tagOf = (message: SipMessage, header: 'From' | 'To'): string | null =>
  addressIn(message, header)?.parameters.get('tag') ?? null

export const callIdOf = (message: SipMessage): string => headerOf(message, 'Call-ID') ?? ''

export interface CSeq {
  readonly number: number
  readonly method: string
}

export function cseqOf(message: SipMessage): CSeq | null {
  const match = /^(\d{1,10})\s+(\S+)$/.exec(headerOf(message, 'CSeq') ?? '')
  if (!match) return null
  const number = Number(match[1])
  return number < 2 ** 31 ? { number, method: match[2] as string } : null
}

export interface Via {
  readonly transport: string
  readonly host: string
  readonly port: number | null
  readonly parameters: ReadonlyMap<string, string | null>
}

const protocolForm = /^SIP\/2\.0\/([A-Za-z0-9-]+)$/i
const sentByForm = /^(\[[0-9a-f:.]+\]|[^\s:;[\]]+)(?::(\d{1,5}))?$/i

/** `SIP/2.0/UDP host:port;parameters`, with white space wherever the grammar allows it. */
export function parseVia(text: string): Via | null {
  const semicolon = text.indexOf(';')
  const head = (semicolon < 0 ? text : text.slice(0, semicolon)).trim()
  const slash = head.lastIndexOf('/')
  const afterSlash = head.slice(slash + 1).trimStart()
  const space = afterSlash.search(/\s/)
  if (slash < 0 || space < 0) return null
  const protocol = protocolForm.exec(
    `${head.slice(0, slash).replace(/\s/g, '')}/${afterSlash.slice(0, space)}`,
  )
  const sentBy = sentByForm.exec(
    afterSlash
      .slice(space)
      .split(':')
      .map((part) => part.trim())
      .join(':'),
  )
  if (!protocol || !sentBy) return null
  return {
    transport: (protocol[1] as string).toUpperCase(),
    host: (sentBy[1] as string).toLowerCase().replace(/^\[|\]$/g, ''),
    port: sentBy[2] === undefined ? null : Number(sentBy[2]),
    parameters: readParameters(semicolon < 0 ? '' : text.slice(semicolon)),
  }
}

export const topVia = (message: SipMessage): Via | null => {
  const first = elementsOf(message, 'Via')[0]
  return first === undefined ? null : parseVia(first)
}

/** The option tags of Require, Supported, … in lower case. */
export const optionTags = (
  message: SipMessage,
  header: 'Require' | 'Supported' | 'Proxy-Require',
): string[] => elementsOf(message, header).map((tag) => tag.toLowerCase())
