// Claim: from mouth to ear a telephone line takes at most 80 ms beyond the network, measured with clicks through baresip.
//
//   clicks → our line → network → baresip, which says what it hears → network → our line → clicks
//
// The yardstick is a bare socket with the same baresip: what the softphone and the network cost. The rest is ours: both
// directions of a line, from the moment a sound is spoken to the moment it is heard. `sip-delay.ts` has it for every codec.
import { openCoders } from '../server/src/carriers/sip/sound/codecs.ts'
import type { Agreement } from '../server/src/carriers/sip/sound/negotiate.ts'
import { RtpSession } from '../server/src/carriers/sip/sound/rtp-session.ts'
import { frameMs, makeFrame, samplesPerFrame } from '../server/src/media/frame.ts'
import { decodeG711, encodeG711 } from '../server/src/media/g711.ts'
import { rtpHeaderBytes, writeRtp } from '../server/src/media/rtp.ts'
import { openTicker } from '../server/src/platform/clock/ticker.ts'
import { canOpenNamespace } from '../server/test/support/namespace/namespace.ts'
import { openTelephoneRoom, type TelephoneRoom } from '../server/test/support/namespace/telephone-room.ts'
import { openBaresip, softphoneNumber } from '../server/test/support/softphone/baresip.ts'
import { percentile } from './rounds.ts'
import { printIfMain, type Row, verdict } from './row.ts'
import { callBySip } from './sip-caller.ts'

const targetMs = 80
const phonePort = 5_060
const clickEveryMs = 600
const clicks = 40
// The jitter buffers of both sides have found their delay by then.
const settledMs = 3_000
const loud = 4_000

/** When clicks were spoken and heard, on one clock: both are the times of single samples. */
class Clicks {
  readonly #spokenMs: number[] = []
  readonly #heardMs: number[] = []
  #quietUntilMs = 0

  get isDone(): boolean {
    return this.#spokenMs.length > clicks
  }

  /** Fills 20 ms that end now, with a click in it when one is due. */
  speak(samples: Int16Array, nowMs: number): void {
    samples.fill(0)
    if (this.isDone || nowMs < (this.#spokenMs.at(-1) ?? 0) + clickEveryMs) return
    // Not always at the same place of a frame.
    const at = Math.floor(((this.#spokenMs.length * 37) % 100) * (samples.length / 128))
    for (let i = at; i < Math.min(at + samples.length / 8, samples.length); i++)
      samples[i] = (i - at) % 8 < 4 ? 16_000 : -16_000
    this.#spokenMs.push(nowMs - frameMs + (at / samples.length) * frameMs)
  }

  /** 20 ms that begin now. */
  hear(samples: Int16Array, nowMs: number): void {
    const at = samples.findIndex((sample) => Math.abs(sample) > loud)
    if (at < 0 || nowMs < this.#quietUntilMs) return
    this.#quietUntilMs = nowMs + 100
    this.#heardMs.push(nowMs + (at / samples.length) * frameMs)
  }

  /** From each click to the next that was heard. */
  delaysMs(): number[] {
    const first = (this.#spokenMs[0] ?? 0) + settledMs
    return this.#spokenMs
      .filter((ms) => ms > first)
      .flatMap((ms) => {
        const heard = this.#heardMs.find((one) => one > ms && one < ms + clickEveryMs)
        return heard === undefined ? [] : [heard - ms]
      })
      .sort((a, b) => a - b)
  }
}

const callPhone = (room: TelephoneRoom, onSound?: (packet: Buffer) => void) =>
  callBySip({
    from: room.host,
    to: `sip:${softphoneNumber}@${room.address}:${phonePort}`,
    address: room.address,
    port: phonePort,
    ...(onSound && { onSound }),
  })

async function untilDone(said: Clicks, onTick: (nowMs: number) => void): Promise<number[]> {
  const ticker = openTicker()
  await new Promise<void>((done) => {
    const ticking = ticker.add((nowMs) => {
      onTick(nowMs)
      if (!said.isDone) return
      ticking.end()
      done()
    })
  })
  await ticker.close()
  return said.delaysMs()
}

/** No buffer and no codec but G.711: a packet is sent when it is full, and heard when it comes. */
async function overBareSocket(room: TelephoneRoom): Promise<number[]> {
  const said = new Clicks()
  const heard = new Int16Array(160)
  const call = await callPhone(room, (packet) => {
    decodeG711('mu', packet, heard, rtpHeaderBytes, Math.min(packet.length, rtpHeaderBytes + 160))
    said.hear(heard, performance.now())
  })
  const samples = new Int16Array(160)
  let packets = 0
  const delays = await untilDone(said, () => {
    const packet = new Uint8Array(rtpHeaderBytes + 160)
    said.speak(samples, performance.now())
    encodeG711('mu', samples, packet, rtpHeaderBytes)
    writeRtp(packet, 0, packets === 0, packets & 0xffff, 160 * packets, 7)
    packets++
    call.sound.send(packet, call.farSound.port, call.farSound.address)
  })
  await call.hangUp()
  return delays
}

async function overOurLine(room: TelephoneRoom): Promise<number[]> {
  const said = new Clicks()
  let receive: ((packet: Uint8Array, address: string, port: number) => void) | null = null
  const call = await callPhone(room, (packet) => receive?.(packet, farSound.address, farSound.port))
  const { farSound, sound } = call
  const agreement: Agreement = {
    codec: 'PCMU',
    payloadType: 0,
    parameters: null,
    ptimeMs: frameMs,
    direction: 'sendrecv',
    accepts: [{ payloadType: 0, codec: 'PCMU' }],
    digits: null,
    comfortNoise: null,
    crypto: null,
    remote: farSound,
    remoteRtcp: { ...farSound, port: farSound.port + 1 },
  }
  const session = new RtpSession({
    rtp: {
      send: (bytes, address, port) => sound.send(bytes.slice(), port, address),
      listen: (onDatagram) => {
        receive = onDatagram
      },
    },
    rtcp: { send() {}, listen() {} },
    rateHz: 16_000,
    coders: await openCoders(['PCMU']),
    random32: () => Math.floor(Math.random() * 2 ** 32),
    deadAfterMs: 20_000,
    now: () => performance.now(),
    listener: {
      onFrame: ({ samples }) => said.hear(samples, performance.now()),
      onDigit() {},
      onDead() {},
    },
  })
  session.use(agreement)
  session.answered()
  const frame = makeFrame(16_000)
  const delays = await untilDone(said, (nowMs) => {
    session.tick(nowMs)
    said.speak(frame.samples, performance.now())
    session.send(frame)
  })
  session.close()
  await call.hangUp()
  return delays
}

async function measure(): Promise<Row[]> {
  if (!canOpenNamespace()) return []
  const room = await openTelephoneRoom()
  const mirror = { port: phonePort, codecs: 'PCMU/8000/1', says: '', rateHz: 8_000, isMirror: true }
  const phone = await openBaresip(room, mirror)
  try {
    const [bare, ours] = [await overBareSocket(room), await overOurLine(room)]
    const show = (all: readonly number[]) =>
      `median ${percentile(all, 0.5).toFixed(0)} ms, p95 ${percentile(all, 0.95).toFixed(0)} ms of ${all.length} clicks`
    const beyondMs = percentile(ours, 0.5) - percentile(bare, 0.5)
    return [
      {
        claim: 'mouth to ear beyond the network, clicks through baresip (PCMU)',
        measured: `${(beyondMs + frameMs).toFixed(0)} ms: through our line and back ${show(ours)}`,
        yardstick: `a bare socket, ${samplesPerFrame(8_000)} samples to a packet: ${show(bare)}`,
        ratio: (percentile(ours, 0.5) / percentile(bare, 0.5)).toFixed(2),
        target: `≤ ${targetMs} ms`,
        verdict: verdict(Math.min(bare.length, ours.length) > clicks / 2 && beyondMs + frameMs <= targetMs),
      },
    ]
  } finally {
    await phone.close()
    await room.close()
  }
}

await printIfMain(import.meta.url, measure)
