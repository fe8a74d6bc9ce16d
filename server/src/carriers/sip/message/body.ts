// What a message carries: SDP by itself, or in a multipart beside what a telephone network added (RFC 5621).
import { type Header, headerName, headerOf, type SipMessage } from './message.ts'

const decoder = new TextDecoder()

export type BodyRefusal = { readonly status: number; readonly headers: readonly Header[] }

/** The SDP of a message. null: there is none. */
export function sdpOf(message: SipMessage): string | null {
  if (message.body.length === 0) return null
  const type = typeOf(message)
  // In the messages of a call, a body without a type can be nothing but SDP.
  if (type === '' || type === 'application/sdp') return decoder.decode(message.body)
  if (!type.startsWith('multipart/')) return null
  const part = partsOf(message).find(
    ({ headers }) => mediaType(headers.get('Content-Type') ?? '') === 'application/sdp',
  )
  return part?.body ?? null
}

/** Why a message is refused for a body that must be understood and is not (§8.2.3). null: it is not. */
export function bodyRefusal(message: SipMessage): BodyRefusal | null {
  if (message.body.length === 0) return null
  const encoding = headerOf(message, 'Content-Encoding')?.toLowerCase() ?? 'identity'
  if (encoding !== 'identity')
    return { status: 415, headers: [{ name: 'Accept-Encoding', value: 'identity' }] }
  if (sdpOf(message) !== null || isOptional(headerOf(message, 'Content-Disposition'))) return null
  return { status: 415, headers: [{ name: 'Accept', value: 'application/sdp, multipart/mixed' }] }
}

const isOptional = (disposition: string | undefined): boolean =>
  /;\s*handling\s*=\s*optional/i.test(disposition ?? '')

const mediaType = (value: string): string => (value.split(';', 1)[0] as string).trim().toLowerCase()

const typeOf = (message: SipMessage): string => mediaType(headerOf(message, 'Content-Type') ?? '')

interface Part {
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

function partsOf(message: SipMessage): Part[] {
  const boundary = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;]+))/i.exec(headerOf(message, 'Content-Type') ?? '')
  if (!boundary) return []
  const pieces = `\r\n${decoder.decode(message.body)}`.split(`\r\n--${boundary[1] ?? boundary[2]}`)
  return pieces
    .slice(1)
    .filter((piece) => !piece.startsWith('--'))
    .map(readPart)
}

function readPart(piece: string): Part {
  const text = piece.slice(piece.indexOf('\r\n') + 2)
  const end = text.startsWith('\r\n') ? 0 : text.indexOf('\r\n\r\n')
  const lines = end <= 0 ? [] : text.slice(0, end).split('\r\n')
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [headerName(line.slice(0, colon).trim()), line.slice(colon + 1).trim()]
    }),
  )
  return { headers, body: end < 0 ? '' : text.slice(end === 0 ? 2 : end + 4) }
}
