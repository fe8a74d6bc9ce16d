// Which codec, keys and direction a call has, from both descriptions (RFC 3264). Pure.
import { type CodecName, codecs, telephoneEvent } from './codecs.ts'
import {
  answerDirection,
  type AudioDescription,
  type CryptoLine,
  type Direction,
  type OwnDescription,
  type PayloadFormat,
  parseSdp,
  printSdp,
  type SessionDescription,
} from './sdp.ts'

export type SrtpPolicy = 'off' | 'optional' | 'required'

/** What one call of ours can do, and where it listens. */
export interface OwnMedia {
  readonly sessionId: string
  readonly address: string
  readonly port: number
  /** By preference. */
  readonly codecs: readonly CodecName[]
  readonly srtp: SrtpPolicy
  /** Key and salt for what we send, in base64: fresh for every call. */
  readonly key: string
}

export const srtpSuite = 'AES_CM_128_HMAC_SHA1_80'

/** What was agreed: everything that the media side needs to know. */
export interface Agreement {
  readonly codec: CodecName
  readonly payloadType: number
  /** null: the far end takes no events; keys go as tones or by INFO. */
  readonly digits: { readonly payloadType: number; readonly clockHz: number } | null
  /** Comfort noise, if it may come. */
  readonly comfortNoise: number | null
  readonly remote: { readonly address: string; readonly port: number }
  readonly remoteRtcp: { readonly address: string; readonly port: number }
  readonly ptimeMs: number
  /** Seen from us. */
  readonly direction: Direction
  readonly crypto: { readonly ours: string; readonly theirs: string } | null
}

export type Negotiated =
  | { readonly is: 'agreed'; readonly agreement: Agreement; readonly sdp: string }
  /** One sentence for the record; the far end gets 488. */
  | { readonly is: 'refused'; readonly reason: string }

const defaultPtimeMs = 20

/** Our offer. `version` grows when anything in it changes. */
export function makeOffer(own: OwnMedia, version: number, direction: Direction = 'sendrecv'): string {
  return printSdp({
    ...describe(own, version, direction),
    formats: [...own.codecs.flatMap((name) => codecs[name]?.format ?? []), telephoneEvent],
    // Optional encryption is offered as plain RTP with keys beside (RFC 8643).
    secure: own.srtp === 'required',
    crypto: own.srtp === 'off' ? [] : [{ tag: 1, suite: srtpSuite, key: own.key }],
    ptimeMs: defaultPtimeMs,
  })
}

/** The far end's answer to our offer. */
export function readAnswer(text: string, own: OwnMedia, offered: Direction = 'sendrecv'): Negotiated {
  const audio = parseSdp(text)?.audio
  if (!audio || audio.port === 0) return { is: 'refused', reason: 'The far end answered without audio.' }
  const chosen = firstCommon(audio, own)
  if (!chosen) return { is: 'refused', reason: 'The far end answered with a codec that was not offered.' }
  const theirs = audio.crypto.find(({ suite }) => suite === srtpSuite)
  if (own.srtp === 'required' && !theirs)
    return { is: 'refused', reason: 'The far end does not encrypt, and this trunk requires it.' }
  const crypto = theirs && own.srtp !== 'off' ? { ours: own.key, theirs: theirs.key } : null
  return {
    is: 'agreed',
    sdp: text,
    agreement: agree(audio, chosen, answerDirection(audio.direction, offered === 'sendonly'), crypto),
  }
}

/** Our answer to the far end's offer: only its codecs, with its numbers. */
export function answerOffer(text: string, own: OwnMedia, version: number, weHold: boolean): Negotiated {
  const session = parseSdp(text)
  const audio = session?.audio
  if (!session || !audio) return { is: 'refused', reason: 'The offer has no audio stream.' }
  const chosen = firstCommon(audio, own)
  if (!chosen) return { is: 'refused', reason: `No codec in common: the far end offers ${namesOf(audio)}.` }
  const theirs = audio.crypto.find(({ suite }) => suite === srtpSuite)
  if (audio.secure && (!theirs || own.srtp === 'off'))
    return { is: 'refused', reason: 'The far end requires encryption that is not configured here.' }
  if (own.srtp === 'required' && !theirs)
    return { is: 'refused', reason: 'The far end does not encrypt, and this trunk requires it.' }
  const crypto = theirs && own.srtp !== 'off' ? { ours: own.key, theirs: theirs.key } : null
  const direction = answerDirection(audio.direction, weHold)
  const agreement = agree(audio, chosen, direction, crypto)
  const keys: CryptoLine[] = theirs && crypto ? [{ tag: theirs.tag, suite: srtpSuite, key: own.key }] : []
  return { is: 'agreed', agreement, sdp: printAnswer(session, audio, chosen, own, version, agreement, keys) }
}

function printAnswer(
  session: SessionDescription,
  audio: AudioDescription,
  chosen: Chosen,
  own: OwnMedia,
  version: number,
  { direction, ptimeMs }: Agreement,
  crypto: readonly CryptoLine[],
): string {
  const events = eventsOf(audio, chosen.format)
  return printSdp({
    ...describe(own, version, direction),
    formats: [chosen.format, ...(events ? [events] : [])],
    secure: audio.secure,
    crypto,
    ptimeMs,
    rtcpMux: audio.rtcpMux,
    answering: session,
  })
}

const describe = (own: OwnMedia, version: number, direction: Direction) =>
  ({
    sessionId: own.sessionId,
    version,
    address: own.address,
    port: own.port,
    direction,
    rtcpMux: true,
  }) satisfies Partial<OwnDescription>

interface Chosen {
  readonly codec: CodecName
  readonly format: PayloadFormat
}

/** Ours by preference: the far end said what it takes, not what it likes best, in nearly every PBX. */
function firstCommon(audio: AudioDescription, own: OwnMedia): Chosen | null {
  for (const codec of own.codecs) {
    const wanted = codecs[codec]?.format
    const format = audio.formats.find(
      ({ name, clockHz }) => wanted && name === wanted.name.toUpperCase() && clockHz === wanted.clockHz,
    )
    if (format) return { codec, format }
  }
  return null
}

const namesOf = (audio: AudioDescription): string =>
  audio.formats.map(({ name }) => name).join(', ') || 'no codec that can be named'

/** Events with the clock of the audio, where there are several (RFC 4733 §2.6). */
function eventsOf(audio: AudioDescription, { clockHz }: PayloadFormat): PayloadFormat | null {
  const events = audio.formats.filter(({ name }) => name === 'TELEPHONE-EVENT')
  return events.find((one) => one.clockHz === clockHz) ?? events[0] ?? null
}

function agree(
  audio: AudioDescription,
  { codec, format }: Chosen,
  direction: Direction,
  crypto: Agreement['crypto'],
): Agreement {
  const events = eventsOf(audio, format)
  const isHeldByAddress = audio.address === '0.0.0.0' || audio.address === '::'
  return {
    codec,
    payloadType: format.payloadType,
    digits: events && { payloadType: events.payloadType, clockHz: events.clockHz },
    comfortNoise: audio.formats.find(({ name }) => name === 'CN')?.payloadType ?? null,
    remote: { address: audio.address, port: audio.port },
    remoteRtcp: audio.rtcpMux
      ? { address: audio.address, port: audio.port }
      : (audio.rtcp ?? { address: audio.address, port: audio.port + 1 }),
    // Any packet length may come in; ours follows what the far end asks for.
    ptimeMs: audio.ptimeMs !== null && audio.ptimeMs % 20 === 0 && audio.ptimeMs <= 60 ? audio.ptimeMs : defaultPtimeMs,
    // The way of RFC 2543 to put somebody on hold.
    direction: isHeldByAddress ? (direction === 'sendrecv' ? 'recvonly' : 'inactive') : direction,
    crypto,
  }
}
