// A call in memory under fire: mutated packets of every kind, from strangers and in the far end's name, beside its own.
import { type CodecName, codecNames, openCoders } from '../../../src/carriers/sip/sound/codecs.ts'
import type { Datagrams } from '../../../src/carriers/sip/sound/datagrams.ts'
import {
  answerOffer,
  makeOffer,
  type OwnMedia,
  readAnswer,
} from '../../../src/carriers/sip/sound/negotiate.ts'
import { RtpSession } from '../../../src/carriers/sip/sound/rtp-session.ts'
import { makeFrame } from '../../../src/media/frame.ts'
import { MemoryMedia } from './memory-media.ts'

export interface Assault {
  readonly codec: CodecName
  readonly isEncrypted: boolean
  /** Hostile packets for each of the far end's. */
  readonly rate: number
  /** With its address as well as the address of strangers. */
  readonly inItsName: boolean
}

export const assaults: readonly Assault[] = codecNames.flatMap((codec) =>
  [false, true].flatMap((isEncrypted) =>
    [false, true].map((inItsName) => ({ codec, isEncrypted, rate: 25, inItsName })),
  ),
)

export interface Battle {
  readonly hostile: number
  /** A number for each frame that was heard: the same sound has the same numbers. */
  readonly heard: readonly number[]
}

const far = '192.0.2.1'
const us = '192.0.2.2'
const port = 4_000
const strangers = ['203.0.113.5', '203.0.113.6']

/** What is heard of the far end in so many frames. Without `assault.rate` it is left in peace. */
export async function battle(
  { codec, isEncrypted, rate, inItsName }: Assault,
  frames: number,
  seed: number,
): Promise<Battle> {
  const media = new MemoryMedia()
  const random = randomBy(seed)
  const own = (address: string): OwnMedia => ({
    sessionId: '1',
    address,
    port,
    codecs: [codec],
    srtp: isEncrypted ? 'required' : 'off',
    key: Buffer.alloc(30, address.length + Number(address === far)).toString('base64'),
  })
  const answer = answerOffer(makeOffer(own(far), 1), own(us), 1, false)
  const theirs = answer.is === 'agreed' ? readAnswer(answer.sdp, own(far)) : answer
  if (answer.is === 'refused' || theirs.is === 'refused') throw new Error('The two do not agree.')
  const coders = [await openCoders([codec]), await openCoders([codec])] as const
  const heard: number[] = []
  let ids = 77
  const open = (address: string, side: 0 | 1, onFrame: (samples: Int16Array) => void) => {
    const { rtp, rtcp } = media.port(address, port)
    return new RtpSession({
      rtp,
      rtcp,
      rateHz: 16_000,
      coders: coders[side],
      deadAfterMs: 20_000,
      now: () => media.nowMs,
      random32: () => (ids = (Math.imul(ids, 1_664_525) + 1_013_904_223) >>> 0),
      listener: { onFrame: ({ samples }) => onFrame(samples), onDigit() {}, onDead() {} },
    })
  }
  const peer = open(far, 0, () => {})
  const victim = open(us, 1, (samples) =>
    heard.push(samples.reduce((sum, sample) => (Math.imul(sum, 31) + sample) | 0, 7)),
  )
  // What goes over the line is what the hostile ones copy.
  const seen: Uint8Array[] = []
  const tap = media.tap((bytes) => {
    seen[random(64)] = bytes
  })
  const attackers: Pick<Datagrams, 'send'>[] = strangers.map((address) => media.socket(address, 9))
  if (inItsName) attackers.push(media.socket(far, port + 7), media.as(far, port))
  peer.use(theirs.agreement)
  victim.use(answer.agreement)
  victim.answered()
  const frame = makeFrame(16_000)
  let hostile = 0
  for (let i = 0; i < frames; i++) {
    for (let at = 0; at < frame.samples.length; at++)
      frame.samples[at] = 8_000 * Math.sin((i * 320 + at) / 12)
    peer.send(frame)
    victim.send(frame)
    // The first packets of the far end come undisturbed, as in a call that has begun.
    for (let n = 0; i > 4 && n < rate; n++, hostile++)
      attackers[random(attackers.length)]?.send(
        mutated(seen[random(64)], random),
        us,
        port + (random(8) === 0 ? 1 : 0),
      )
    media.advanceTo(media.nowMs + 20)
    for (const session of [peer, victim]) session.tick(media.nowMs)
  }
  tap()
  peer.close()
  victim.close()
  for (const one of coders) one.close()
  return { hostile, heard }
}

/** A packet of the line with a few bytes changed, cut or made longer; or one of nothing but chance. */
function mutated(packet: Uint8Array | undefined, random: (below: number) => number): Uint8Array {
  if (!packet || random(8) === 0) return Uint8Array.from({ length: random(200) }, () => random(256))
  const change = random(4) < 2 ? 0 : random(100) - 40
  const bytes = Uint8Array.from(
    { length: Math.max(0, packet.length + change) },
    (_, i) => packet[i] ?? random(256),
  )
  for (let changes = 1 + random(6); changes > 0 && bytes.length > 0; changes--)
    bytes[random(2) === 0 ? random(Math.min(16, bytes.length)) : random(bytes.length)] = random(256)
  return bytes
}

/** Xorshift. */
function randomBy(seed: number): (below: number) => number {
  let x = seed >>> 0 || 1
  return (below) => {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    return (x >>> 0) % below
  }
}
