// Typed readings of the headers that routing and dialogs depend on: Via, From, To, Contact, Route, CSeq.
import { headerOf, listOf, type SipMessage } from './message.ts'
import { parseUri, readParameters, type Uri, unquote } from './uri.ts'

export interface NameAddress {
  readonly displayName: string | null
  /** As written, for comparison and for requests that must repeat it. */
  readonly address: string
  /** null: in a form that we cannot read (another scheme). */
  readonly uri: Uri | null
  readonly parameters: ReadonlyMap<string, string | null>
}

/** `"Alice" <sip:a@b>;tag=1` or `sip:a@b;tag=1`: without brackets all parameters are the header's (§20.10). */
export function parseNameAddress(text: string): NameAddress | null {
  const bracketed = /^\s*("(?:[^"\\]|\\.)*"|[^<"]*?)\s*<([^>]*)>\s*(;.*)?$/s.exec(text)
  if (bracketed) {
    const address = (bracketed[2] as string).trim()
    const name = unquote((bracketed[1] as string).trim())
    return {
      displayName: name === '' ? null : name,
      address,
      uri: parseUri(address),
      parameters: readParameters(bracketed[3] ?? ''),
    }
  }
  if (/[<>"]/.test(text)) return null
  const semicolon = text.indexOf(';')
  const address = (semicolon < 0 ? text : text.slice(0, semicolon)).trim()
  if (address === '') return null
  return {
    displayName: null,
    address,
    uri: parseUri(address),
    parameters: readParameters(semicolon < 0 ? '' : text.slice(semicolon)),
  }
}

export function printNameAddress(address: string, tag: string | null, displayName: string | null = null): string {
  const name = displayName === null ? '' : `"${displayName.replace(/[\\"]/g, '\\$&').replace(/[\r\n]/g, ' ')}" `
  return `${name}<${address}>${tag === null ? '' : `;tag=${tag}`}`
}

export const addressIn = (message: SipMessage, header: 'From' | 'To' | 'Contact'): NameAddress | null => {
  const value = header === 'Contact' ? listOf(message, header)[0] : headerOf(message, header)
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
  const found = /^(\d{1,10})\s+(\S+)$/.exec(headerOf(message, 'CSeq') ?? '')
  if (!found) return null
  const number = Number(found[1])
  return number < 2 ** 31 ? { number, method: found[2] as string } : null
}

export interface Via {
  readonly transport: string
  readonly host: string
  readonly port: number | null
  readonly parameters: ReadonlyMap<string, string | null>
}

const viaForm = /^SIP\s*\/\s*2\.0\s*\/\s*([A-Za-z0-9-]+)\s+(\[[0-9a-f:.]+\]|[^\s:;[\]]+)\s*(?::\s*(\d{1,5}))?\s*((?:;.*)?)$/i

export function parseVia(text: string): Via | null {
  const found = viaForm.exec(text.trim())
  if (!found) return null
  return {
    transport: (found[1] as string).toUpperCase(),
    host: (found[2] as string).toLowerCase().replace(/^\[|\]$/g, ''),
    port: found[3] === undefined ? null : Number(found[3]),
    parameters: readParameters(found[4] as string),
  }
}

export const topVia = (message: SipMessage): Via | null => {
  const first = listOf(message, 'Via')[0]
  return first === undefined ? null : parseVia(first)
}

/** The option tags of Require, Supported, … in lower case. */
export const optionTags = (message: SipMessage, header: 'Require' | 'Supported' | 'Proxy-Require'): string[] =>
  listOf(message, header).map((tag) => tag.toLowerCase())
