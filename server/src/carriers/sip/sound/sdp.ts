// Session descriptions (RFC 8866) as telephony uses them: one audio stream, its address, codecs, direction and keys.
import { isIPv6 } from 'node:net'

export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive'

export interface PayloadFormat {
  readonly payloadType: number
  /** The name in upper case. */
  readonly name: string
  readonly clockHz: number
  readonly channels: number
  readonly parameters: string | null
}

/** An a=crypto line (RFC 4568), which offers a key. */
export interface CryptoLine {
  readonly tag: number
  readonly suite: string
  /** Key and salt in base64, as in the line. */
  readonly key: string
  /** How many bytes of each packet name the key (MKI); 0: none do. */
  readonly mkiBytes: number
}

export interface AudioDescription {
  /** The place of its m= line, from 0. */
  readonly index: number
  /** The protocol, such as RTP/AVP or RTP/SAVPF, which an answer repeats. */
  readonly protocol: string
  readonly address: string
  readonly port: number
  readonly rtcp: { readonly address: string; readonly port: number } | null
  readonly rtcpMux: boolean
  readonly formats: readonly PayloadFormat[]
  readonly ptimeMs: number | null
  readonly direction: Direction
  /** Whether the stream must be encrypted (RTP/SAVP). */
  readonly secure: boolean
  readonly crypto: readonly CryptoLine[]
}

export interface SessionDescription {
  /** The streams that were not refused. Of several, one is to be chosen, encrypted or not. */
  readonly audio: readonly AudioDescription[]
  /** Every m= line in order; an answer must have as many (RFC 3264 §6). */
  readonly media: readonly { readonly kind: string; readonly protocol: string; readonly formats: string }[]
}

/** Payload types that need no rtpmap (RFC 3551). */
const wellKnown: Readonly<Record<number, [name: string, clockHz: number]>> = {
  0: ['PCMU', 8_000],
  3: ['GSM', 8_000],
  4: ['G723', 8_000],
  8: ['PCMA', 8_000],
  // By an old mistake the clock of G.722 counts 8,000 a second.
  9: ['G722', 8_000],
  13: ['CN', 8_000],
  18: ['G729', 8_000],
}

interface MediaLines {
  readonly kind: string
  readonly port: number
  readonly protocol: string
  readonly formats: string
  readonly lines: string[]
}

/** null: not a session description. */
export function parseSdp(text: string): SessionDescription | null {
  const lines = text.split(/\r\n|\n|\r/).filter((line) => /^[a-z]=/.test(line))
  if (!lines[0]?.startsWith('v=')) return null
  const session: string[] = []
  const media: MediaLines[] = []
  for (const line of lines) {
    const start = /^m=(\S+) (\d{1,5})(?:\/\d+)? (\S+)(\s.*)?$/.exec(line)
    if (start)
      media.push({
        kind: start[1] as string,
        port: Number(start[2]),
        protocol: start[3] as string,
        formats: (start[4] ?? '').trim(),
        lines: [],
      })
    else if (line.startsWith('m=')) return null
    else (media.at(-1)?.lines ?? session).push(line)
  }
  return {
    audio: media.flatMap((one, index) => (isUsable(one) ? readAudio(one, index, session) : [])),
    media,
  }
}

const isUsable = ({ kind, port, protocol }: MediaLines): boolean =>
  kind === 'audio' && port > 0 && port <= 65_535 && /^RTP\/S?AVPF?$/.test(protocol)

function readAudio(
  { port, protocol, formats, lines }: MediaLines,
  index: number,
  session: readonly string[],
): AudioDescription {
  const own = attributes(lines)
  const all = [...own, ...attributes(session)]
  const address = addressOf(lines) ?? addressOf(session) ?? '0.0.0.0'
  const direction = all.find(([name]) => isDirection(name))?.[0] as Direction | undefined
  return {
    index,
    protocol,
    address,
    port,
    rtcp: readRtcpAddress(own.find(([name]) => name === 'rtcp')?.[1], address),
    rtcpMux: own.some(([name]) => name === 'rtcp-mux'),
    formats: readFormats(formats, own),
    ptimeMs: readPtime(own),
    direction: direction ?? 'sendrecv',
    secure: protocol.startsWith('RTP/SAVP'),
    crypto: own.filter(([name]) => name === 'crypto').flatMap(([, value]) => readCrypto(value)),
  }
}

/** The packet length that the far end wants, at most what it can take. */
function readPtime(own: readonly [string, string][]): number | null {
  const numberOf = (wanted: string) => Number(own.find(([name]) => name === wanted)?.[1] ?? Number.NaN)
  const [ptime, longest] = [numberOf('ptime'), numberOf('maxptime')]
  const wanted = ptime >= 10 && ptime <= 200 ? ptime : null
  return longest >= 10 && longest < (wanted ?? 20) ? longest : wanted
}

const isDirection = (name: string): name is Direction =>
  name === 'sendrecv' || name === 'sendonly' || name === 'recvonly' || name === 'inactive'

function attributes(lines: readonly string[]): [name: string, value: string][] {
  return lines
    .filter((line) => line.startsWith('a='))
    .map((line) => {
      const colon = line.indexOf(':')
      return colon < 0 ? [line.slice(2).trim(), ''] : [line.slice(2, colon), line.slice(colon + 1).trim()]
    })
}

function addressOf(lines: readonly string[]): string | null {
  const line = lines.find((one) => one.startsWith('c='))
  return line ? (/^c=IN IP[46] ([^\s/]+)/.exec(line)?.[1] ?? null) : null
}

function readRtcpAddress(value: string | undefined, address: string) {
  const match = /^(\d{1,5})(?: IN IP[46] (\S+))?$/.exec(value ?? '')
  return match ? { port: Number(match[1]), address: match[2] ?? address } : null
}

function readFormats(formats: string, own: readonly [string, string][]): PayloadFormat[] {
  const maps = new Map<number, string>()
  const parameters = new Map<number, string>()
  for (const [name, value] of own) {
    const match = /^(\d{1,3})\s+(\S.*)$/.exec(value)
    if (match && name === 'rtpmap') maps.set(Number(match[1]), match[2] as string)
    if (match && name === 'fmtp') parameters.set(Number(match[1]), match[2] as string)
  }
  return formats.split(/\s+/).flatMap((word) => {
    const payloadType = Number(word)
    if (!/^\d{1,3}$/.test(word) || payloadType > 127) return []
    const map = /^([^/\s]+)\/(\d+)(?:\/(\d+))?/.exec(maps.get(payloadType) ?? '')
    const known = wellKnown[payloadType]
    if (!map && !known) return []
    return [
      {
        payloadType,
        name: (map?.[1] ?? known?.[0] ?? '').toUpperCase(),
        clockHz: Number(map?.[2] ?? known?.[1]),
        channels: Number(map?.[3] ?? 1),
        parameters: parameters.get(payloadType) ?? null,
      },
    ]
  })
}

/** `1 AES_CM_128_HMAC_SHA1_80 inline:<base64>|2^31|1:4`: tag, suite, key, lifetime, name of the key and its length. */
const cryptoLine = /^(\d{1,9})\s+(\S+)\s+inline:([A-Za-z0-9+/=]+)(?:\|2?\^?\d+)?(?:\|\d+:(\d{1,3}))?\s*$/

/** Reads a key. Lines with session parameters or several keys are left out: they change the form of packets. */
function readCrypto(value: string): CryptoLine[] {
  const match = cryptoLine.exec(value)
  if (!match) return []
  return [
    {
      tag: Number(match[1]),
      suite: match[2] as string,
      key: match[3] as string,
      mkiBytes: Number(match[4] ?? 0),
    },
  ]
}

export interface OwnDescription {
  readonly sessionId: string
  /** The version, which grows with every change (RFC 3264 §8). */
  readonly version: number
  readonly address: string
  readonly port: number
  readonly formats: readonly PayloadFormat[]
  readonly ptimeMs: number
  readonly direction: Direction
  readonly protocol: string
  readonly crypto: readonly Omit<CryptoLine, 'mkiBytes'>[]
  readonly rtcpMux: boolean
  /** The offer that this answers, and which of its streams: the others are refused in their places. */
  readonly answering?: { readonly session: SessionDescription; readonly index: number }
}

export function printSdp(own: OwnDescription): string {
  const family = isIPv6(own.address) ? 'IP6' : 'IP4'
  const audio = audioLines(own)
  const media =
    own.answering?.session.media.flatMap((one, index) =>
      index === own.answering?.index ? audio : [`m=${one.kind} 0 ${one.protocol} ${one.formats || '0'}`],
    ) ?? audio
  const lines = [
    'v=0',
    `o=parley ${own.sessionId} ${own.version} IN ${family} ${own.address}`,
    's=parley',
    `c=IN ${family} ${own.address}`,
    't=0 0',
    ...media,
  ]
  return `${lines.join('\r\n')}\r\n`
}

function audioLines({
  port,
  formats,
  ptimeMs,
  direction,
  protocol,
  crypto,
  rtcpMux,
}: OwnDescription): string[] {
  return [
    `m=audio ${port} ${protocol} ${formats.map(({ payloadType }) => payloadType).join(' ')}`,
    ...formats.flatMap(({ payloadType, name, clockHz, channels, parameters }) => [
      `a=rtpmap:${payloadType} ${name === 'OPUS' ? 'opus' : name === 'TELEPHONE-EVENT' ? 'telephone-event' : name}/${clockHz}${channels > 1 ? `/${channels}` : ''}`,
      ...(parameters === null ? [] : [`a=fmtp:${payloadType} ${parameters}`]),
    ]),
    ...crypto.map(({ tag, suite, key }) => `a=crypto:${tag} ${suite} inline:${key}`),
    `a=ptime:${ptimeMs}`,
    ...(rtcpMux ? ['a=rtcp-mux'] : []),
    `a=${direction}`,
  ]
}

/** The direction of our answer to an offer (RFC 3264 §6.1). */
export const answerDirection = (offered: Direction, weHold: boolean): Direction => {
  const weMaySend = offered === 'sendrecv' || offered === 'recvonly'
  const weMayReceive = (offered === 'sendrecv' || offered === 'sendonly') && !weHold
  return weMaySend ? (weMayReceive ? 'sendrecv' : 'sendonly') : weMayReceive ? 'recvonly' : 'inactive'
}
