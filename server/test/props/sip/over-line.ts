// Sound through a whole telephone line in memory: negotiated, packed, sent over a network, and heard at the other end.
import { type CodecName, openCoders } from '../../../src/carriers/sip/sound/codecs.ts'
import {
  answerOffer,
  makeOffer,
  type Negotiation,
  type OwnMedia,
  readAnswer,
} from '../../../src/carriers/sip/sound/negotiate.ts'
import { RtpSession, type RtpStats } from '../../../src/carriers/sip/sound/rtp-session.ts'
import { makeFrame } from '../../../src/media/frame.ts'
import { framesOf } from '../engines/clips.ts'
import { MemoryMedia } from './memory-media.ts'
import type { Spoiler } from './spoiler.ts'

const rateHz = 16_000
const addresses = ['192.0.2.1', '192.0.2.2'] as const
const port = 4_000

export interface HeardSound {
  /** At 16 kHz. */
  readonly samples: Int16Array
  readonly stats: RtpStats
}

export interface LineOptions {
  readonly codec: CodecName
  /** Of the way there; the way back is spoiled by it too if there is no other. */
  readonly there?: Spoiler
  readonly back?: Spoiler
  readonly isEncrypted?: boolean
}

const ownMedia = (side: 0 | 1, { codec, isEncrypted = false }: LineOptions): OwnMedia => ({
  sessionId: String(side),
  address: addresses[side],
  port,
  codecs: [codec],
  srtp: isEncrypted ? 'required' : 'off',
  key: Buffer.alloc(30, side + 1).toString('base64'),
})

function agreed(negotiated: Negotiation) {
  if (negotiated.is === 'refused') throw new Error(negotiated.reason)
  return negotiated
}

/** What the far end hears of 16 kHz samples, with a second of silence after them, while it says nothing itself. */
export async function overLine(samples: Int16Array, options: LineOptions): Promise<HeardSound> {
  const media = new MemoryMedia()
  media.delayMs = 10
  if (options.there) media.spoil(addresses[0], options.there)
  if (options.back) media.spoil(addresses[1], options.back)
  const offer = makeOffer(ownMedia(0, options), 1)
  const answer = agreed(answerOffer(offer, ownMedia(1, options), 1, false))
  const agreements = [agreed(readAnswer(answer.sdp, ownMedia(0, options))).agreement, answer.agreement]
  const heard: Int16Array[] = []
  let seed = 1
  const coders = await Promise.all([openCoders([options.codec]), openCoders([options.codec])])
  const sessions = addresses.map((address, side) => {
    const { rtp, rtcp } = media.port(address, port)
    const session = new RtpSession({
      rtp,
      rtcp,
      rateHz,
      deadAfterMs: 20_000,
      now: () => media.nowMs,
      coders: coders[side] as (typeof coders)[0],
      random32: () => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0),
      listener: {
        onFrame: (frame) => side === 1 && heard.push(frame.samples.slice()),
        onDigit() {},
        onDead() {},
      },
    })
    session.use(agreements[side] as (typeof agreements)[0])
    session.answered()
    return session
  }) as [RtpSession, RtpSession]
  const silence = makeFrame(rateHz)
  const frames = [...framesOf(samples, rateHz), ...Array.from({ length: 50 }, () => silence)]
  for (const frame of frames) {
    sessions[0].send(frame)
    sessions[1].send(silence)
    media.advanceTo(media.nowMs + 20)
    for (const session of sessions) session.tick(media.nowMs)
  }
  const { stats } = sessions[1]
  for (const session of sessions) session.close()
  for (const one of coders) one.close()
  const joined = new Int16Array(heard.length * silence.samples.length)
  heard.forEach((frame, i) => {
    joined.set(frame, i * silence.samples.length)
  })
  return { samples: joined, stats }
}
