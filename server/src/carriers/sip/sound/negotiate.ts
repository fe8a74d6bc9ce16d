// Decides codec, keys and direction of a call from the SDP of both sides (RFC 3264). Pure.
import { type CodecName, codecs, telephoneEvent, telephoneEvent48 } from './codecs.ts'
import {
  type AudioDescription,
  answerDirection,
  type Direction,
  type OwnDescription,
  type PayloadFormat,
  parseSdp,
  printSdp,
  type SessionDescription,
} from './sdp.ts'
import { isSrtpKey, type SrtpKeys, srtpSuites } from './srtp.ts'

export type SrtpPolicy = 'off' | 'optional' | 'required'

/** Our side of a call: what it can do, and where it listens. */
export interface OwnMedia {
  readonly sessionId: string
  readonly address: string
  readonly port: number
  /** Codecs by preference. */
  readonly codecs: readonly CodecName[]
  readonly srtp: SrtpPolicy
  /** Key and salt for what we send, in base64. They are fresh for every call. */
  readonly key: string
}

/** Everything that both sides have agreed on about the sound. */
export interface Agreement {
  readonly codec: CodecName
  readonly payloadType: number
  /** The far end's fmtp line of the codec. */
  readonly parameters: string | null
  /** All payload types that the far end may send, the codec above included: a sender may change between them. */
  readonly accepts: readonly { readonly payloadType: number; readonly codec: CodecName }[]
  /** null: the far end takes no events; keys go as tones or by INFO. */
  readonly digits: {
    readonly payloadType: number
    readonly clockHz: number
    /** All payload types that keys may have: there is one for each clock. */
    readonly accepts: readonly number[]
  } | null
  /** The payload type of comfort noise; null: the far end sends none. */
  readonly comfortNoise: number | null
  readonly remote: { readonly address: string; readonly port: number }
  readonly remoteRtcp: { readonly address: string; readonly port: number }
  readonly ptimeMs: number
  /** The direction as seen from us. */
  readonly direction: Direction
  readonly crypto: SrtpKeys | null
}

export type Negotiation =
  | { readonly is: 'agreed'; readonly agreement: Agreement; readonly sdp: string }
  /** `reason` is one sentence for the record; the far end gets 488. */
  | { readonly is: 'refused'; readonly reason: string }

const defaultPtimeMs = 20

/** Makes our offer. `version` grows when anything in it changes. */
export function makeOffer(own: OwnMedia, version: number, direction: Direction = 'sendrecv'): string {
  return printSdp({
    ...describe(own, version, direction),
    formats: [...own.codecs.map((name) => codecs[name].format), ...eventFormats(own)],
    // Optional encryption is offered as plain RTP with keys beside (RFC 8643).
    protocol: own.srtp === 'required' ? 'RTP/SAVP' : 'RTP/AVP',
    crypto: own.srtp === 'off' ? [] : srtpSuites.map((suite, i) => ({ tag: i + 1, suite, key: own.key })),
    ptimeMs: defaultPtimeMs,
  })
}

/** Counts the versions of our SDP: the number grows only when something else has changed (RFC 3264 §8). */
export class SdpVersions {
  #version: number
  #last = ''

  /** `last` is the version of the last SDP that the far end has seen. */
  constructor(last = 0) {
    this.#version = last
  }

  /** Calls `make` once or twice. A result without SDP is returned as it is. */
  print<Made>(make: (version: number) => Made, sdpOf: (made: Made) => string | null): Made {
    const same = make(this.#version)
    if ((sdpOf(same) ?? this.#last) === this.#last) return same
    const next = make(++this.#version)
    this.#last = sdpOf(next) ?? ''
    return next
  }
}

const eventFormats = ({ codecs: names }: OwnMedia): PayloadFormat[] =>
  names.includes('opus') ? [telephoneEvent48, telephoneEvent] : [telephoneEvent]

/** Reads the far end's answer to our offer. */
export function readAnswer(text: string, own: OwnMedia, offered: Direction = 'sendrecv'): Negotiation {
  const audio = parseSdp(text)?.audio[0]
  if (!audio) return { is: 'refused', reason: 'The far end answered without audio.' }
  const chosen = choose(audio, own)
  if (chosen.is === 'refused') return chosen
  const direction = answerDirection(audio.direction, offered === 'sendonly')
  return { is: 'agreed', sdp: text, agreement: agree(audio, chosen, direction) }
}

/** Makes our answer to the far end's offer: only its codecs, with its payload types. */
export function answerOffer(text: string, own: OwnMedia, version: number, weHold: boolean): Negotiation {
  const session = parseSdp(text)
  if (!session?.audio[0]) return { is: 'refused', reason: 'The offer has no audio stream that we can take.' }
  let refused: Refusal | null = null
  for (const audio of session.audio) {
    const chosen = choose(audio, own)
    if (chosen.is === 'refused') refused ??= chosen
    else return answerWith(session, audio, chosen, own, version, weHold)
  }
  return refused ?? { is: 'refused', reason: 'The offer has no audio stream that we can take.' }
}

function answerWith(
  session: SessionDescription,
  audio: AudioDescription,
  chosen: StreamChoice,
  own: OwnMedia,
  version: number,
  weHold: boolean,
): Negotiation {
  const agreement = agree(audio, chosen, answerDirection(audio.direction, weHold))
  const events = eventsOf(audio, chosen.format)
  const { codec, format, keys } = chosen
  // Parameters of Opus say what each side wants to receive, so we send our own; for the others we repeat the offer's.
  const described = codec === 'opus' ? { ...format, parameters: codecs.opus.format.parameters } : format
  const sdp = printSdp({
    ...describe(own, version, agreement.direction),
    formats: [described, ...(events ? [events] : [])],
    protocol: audio.protocol,
    crypto: keys ? [{ tag: keys.tag, suite: keys.suite, key: own.key }] : [],
    ptimeMs: agreement.ptimeMs,
    rtcpMux: audio.rtcpMux,
    answering: { session, index: audio.index },
  })
  return { is: 'agreed', agreement, sdp }
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

type Refusal = Extract<Negotiation, { is: 'refused' }>

interface StreamChoice {
  readonly is: 'chosen'
  readonly codec: CodecName
  readonly format: PayloadFormat
  readonly accepts: Agreement['accepts']
  /** null: the stream is not encrypted. */
  readonly keys: (SrtpKeys & { readonly tag: number }) | null
}

/** Chooses codec and keys for a stream, or says why it cannot be used. */
function choose(audio: AudioDescription, own: OwnMedia): StreamChoice | Refusal {
  const accepts = common(audio, own)
  const first = accepts[0]
  if (!first) return { is: 'refused', reason: `No codec in common: the far end has ${namesOf(audio)}.` }
  const keys = own.srtp === 'off' ? null : keysOf(audio, own)
  if (audio.secure && !keys)
    return { is: 'refused', reason: 'The far end requires encryption that is not configured here.' }
  if (own.srtp === 'required' && !keys)
    return { is: 'refused', reason: 'The far end does not encrypt, and this trunk requires it.' }
  const { codec, format } = first
  return {
    is: 'chosen',
    codec,
    format,
    accepts: accepts.map((one) => ({ payloadType: one.format.payloadType, codec: one.codec })),
    keys,
  }
}

function keysOf({ crypto }: AudioDescription, { key }: OwnMedia): StreamChoice['keys'] {
  for (const line of crypto) {
    const suite = srtpSuites.find((one) => one === line.suite)
    if (suite && isSrtpKey(line.key)) {
      const { tag, key: theirs, mkiBytes: theirMkiBytes } = line
      return { tag, suite, ours: key, theirs, theirMkiBytes }
    }
  }
  return null
}

/** The common codecs by our preference: the order in the SDP of most PBXs means nothing. */
function common(audio: AudioDescription, own: OwnMedia) {
  return own.codecs.flatMap((codec) => {
    const wanted = codecs[codec].format
    const format = audio.formats.find(
      ({ name, clockHz }) => name === wanted.name && clockHz === wanted.clockHz,
    )
    return format ? [{ codec, format }] : []
  })
}

const namesOf = (audio: AudioDescription): string =>
  audio.formats.map(({ name }) => name).join(', ') || 'no codec that can be named'

const isEvents = ({ name }: PayloadFormat): boolean => name === 'TELEPHONE-EVENT'

/** The format of key events; of several, the one with the clock of the audio (RFC 4733 §2.6). */
function eventsOf(audio: AudioDescription, { clockHz }: PayloadFormat): PayloadFormat | null {
  const events = audio.formats.filter(isEvents)
  return events.find((one) => one.clockHz === clockHz) ?? events[0] ?? null
}

function agree(audio: AudioDescription, chosen: StreamChoice, direction: Direction): Agreement {
  const { codec, format, accepts, keys } = chosen
  const events = eventsOf(audio, format)
  const { address, port } = audio
  const isHeldByAddress = address === '0.0.0.0' || address === '::'
  return {
    codec,
    payloadType: format.payloadType,
    parameters: format.parameters,
    accepts,
    digits: events && {
      payloadType: events.payloadType,
      clockHz: events.clockHz,
      accepts: audio.formats.filter(isEvents).map(({ payloadType }) => payloadType),
    },
    comfortNoise: audio.formats.find(({ name }) => name === 'CN')?.payloadType ?? null,
    remote: { address, port },
    remoteRtcp: audio.rtcpMux ? { address, port } : (audio.rtcp ?? { address, port: port + 1 }),
    // Our packet length follows what the far end asks for; any length may arrive.
    ptimeMs: codecs[codec].ptimeMs(audio.ptimeMs ?? defaultPtimeMs),
    // An address of zeros is the hold of RFC 2543: nothing may be sent there.
    direction: !isHeldByAddress
      ? direction
      : direction === 'sendrecv' || direction === 'recvonly'
        ? 'recvonly'
        : 'inactive',
    crypto: keys && {
      suite: keys.suite,
      ours: keys.ours,
      theirs: keys.theirs,
      theirMkiBytes: keys.theirMkiBytes,
    },
  }
}
