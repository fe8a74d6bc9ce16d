// sip:, sips: and tel: addresses (RFC 3261 §19.1, RFC 3966).

export interface SipUri {
  readonly scheme: 'sip' | 'sips'
  readonly user: string | null
  readonly password: string | null
  /** The host in lower case; an IPv6 address without its brackets. */
  readonly host: string
  readonly port: number | null
  readonly parameters: ReadonlyMap<string, string | null>
  /** The headers after the question mark. */
  readonly headers: string | null
}

export interface TelUri {
  readonly scheme: 'tel'
  /** The number without visual separators. */
  readonly number: string
  readonly parameters: ReadonlyMap<string, string | null>
}

export type Uri = SipUri | TelUri

const sipForm = /^(sips?):(?:([^@]*)@)?(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::(\d{1,5}))?((?:;[^?]*)?)(?:\?(.*))?$/i
const telForm = /^tel:([+*#0-9a-d().\-\s]+)((?:;.*)?)$/i

/** null: the text is not an address that we can read. */
export function parseUri(text: string): Uri | null {
  const tel = telForm.exec(text)
  if (tel)
    return {
      scheme: 'tel',
      number: (tel[1] as string).replace(/[().\-\s]/g, ''),
      parameters: readParameters(tel[2] as string),
    }
  const sip = sipForm.exec(text)
  if (!sip) return null
  const port = sip[4] === undefined ? null : Number(sip[4])
  if (port !== null && (port < 1 || port > 65_535)) return null
  const userinfo = sip[2]
  const colon = userinfo?.indexOf(':') ?? -1
  const user = userinfo === undefined ? null : colon < 0 ? userinfo : userinfo.slice(0, colon)
  if (user === '') return null
  return {
    scheme: (sip[1] as string).toLowerCase() as 'sip' | 'sips',
    user: user === null ? null : decode(user),
    password: userinfo === undefined || colon < 0 ? null : decode(userinfo.slice(colon + 1)),
    host: (sip[3] as string).toLowerCase().replace(/^\[|\]$/g, ''),
    port,
    parameters: readParameters(sip[5] as string),
    headers: sip[6] ?? null,
  }
}

export function printUri(uri: Uri): string {
  const parameters = [...uri.parameters]
    .map(([name, value]) => (value === null ? `;${name}` : `;${name}=${value}`))
    .join('')
  if (uri.scheme === 'tel') return `tel:${uri.number}${parameters}`
  const userinfo =
    uri.user === null ? '' : `${encode(uri.user)}${uri.password === null ? '' : `:${encode(uri.password)}`}@`
  const port = uri.port === null ? '' : `:${uri.port}`
  const headers = uri.headers === null ? '' : `?${uri.headers}`
  return `${uri.scheme}:${userinfo}${printHost(uri.host)}${port}${parameters}${headers}`
}

export const printHost = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** The number or name that an address is about: its user part without parameters, or a telephone number. */
export function userOf(uri: Uri): string | null {
  return uri.scheme === 'tel' ? uri.number : (uri.user?.split(';')[0] ?? null)
}

/** `;name=value;flag`, names in lower case. Also used for the parameters of headers. */
export function readParameters(text: string): Map<string, string | null> {
  const parameters = new Map<string, string | null>()
  for (const part of splitParameters(text)) {
    const equals = part.indexOf('=')
    const name = (equals < 0 ? part : part.slice(0, equals)).trim().toLowerCase()
    if (name === '' || parameters.has(name)) continue
    parameters.set(name, equals < 0 ? null : unquote(part.slice(equals + 1).trim()))
  }
  return parameters
}

function splitParameters(text: string): string[] {
  const parts: string[] = []
  let start = 0
  let quoted = false
  for (let at = 0; at <= text.length; at++) {
    const char = text[at]
    if (quoted && char === '\\') at++
    else if (char === '"') quoted = !quoted
    else if (at === text.length || (char === ';' && !quoted)) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return parts
}

export const unquote = (text: string): string =>
  text.startsWith('"') && text.endsWith('"') && text.length > 1
    ? text.slice(1, -1).replace(/\\(.)/g, '$1')
    : text

/** Decodes percent-encoding. Text that is not properly escaped stays as it is. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** §25.1: what may stand in a user part unescaped. */
const encode = (text: string): string =>
  text.replace(/[^A-Za-z0-9\-_.!~*'()&=+$,;?/]/gu, (char) => encodeURIComponent(char))
