// Our sound against a second witness: ffmpeg decodes what we send and encodes what we hear, each codec, plain and encrypted.
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CodecName, openCoders } from '../../src/carriers/sip/sound/codecs.ts'
import {
  type Agreement,
  makeOffer,
  type OwnMedia,
  readAnswer,
} from '../../src/carriers/sip/sound/negotiate.ts'
import { type RtpPort, RtpPorts } from '../../src/carriers/sip/sound/rtp-ports.ts'
import { RtpSession } from '../../src/carriers/sip/sound/rtp-session.ts'
import { type Frame, frameMs } from '../../src/media/frame.ts'
import { wavHeader } from '../../src/media/wav.ts'
import { parseWav } from '../../src/media/wav-parse.ts'
import { framesOf, resampled } from '../props/engines/clips.ts'
import { describeUnless } from '../props/unless.ts'
import { ownPorts } from '../support/own-ports.ts'

const absent = spawnSync('ffmpeg', ['-version']).error
  ? 'ffmpeg is not installed; make test installs it'
  : undefined
const ourKey = Buffer.alloc(30, 5).toString('base64')
const theirKey = Buffer.alloc(30, 6).toString('base64')

/** A tone that rises for a second, so that every part of it is different, and again. */
const sound = Int16Array.from({ length: 48_000 }, (_, i) => {
  const t = (i % 16_000) / 16_000
  return 9_000 * Math.sin(2 * Math.PI * (300 * t + 1_100 * t * t))
})

const variants: readonly (readonly [codec: CodecName, encoder: readonly string[], isEncrypted: boolean])[] = [
  ['PCMU', ['-c:a', 'pcm_mulaw', '-ar', '8000'], false],
  ['PCMA', ['-c:a', 'pcm_alaw', '-ar', '8000'], false],
  ['G722', ['-c:a', 'g722', '-ar', '16000'], false],
  ['opus', ['-c:a', 'libopus', '-ar', '48000', '-application', 'voip'], false],
  ['PCMA', ['-c:a', 'pcm_alaw', '-ar', '8000'], true],
]

/** How well any stretch of 300 ms of the recording matches a part of the original: 1 is the same wave. Both at 8 kHz. */
function likeness(recorded: Int16Array): number {
  const original = resampled(sound, 16_000, 8_000)
  const size = 2_400
  let best = 0
  // Somewhere everything arrived; a busy machine may have left gaps elsewhere.
  for (
    let from = recorded.length >> 2;
    from + size <= recorded.length;
    from += Math.max(1, recorded.length >> 2)
  )
    for (let at = 0; at < 8_000; at++) {
      let [product, mine, theirs] = [0, 0, 0]
      for (let i = 0; i < size; i += 7) {
        const [a, b] = [original[at + i] as number, recorded[from + i] as number]
        product += a * b
        mine += a * a
        theirs += b * b
      }
      best = Math.max(best, product / Math.sqrt(mine * theirs + 1))
    }
  return best
}

describeUnless(absent, 'ffmpeg', () => {
  let folder: string
  let port: RtpPort
  const running: ChildProcess[] = []
  const from = ownPorts(40)
  const ports = new RtpPorts('127.0.0.1', { from, to: from + 39 })
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-ffmpeg-'))
    await writeFile(
      join(folder, 'sound.wav'),
      Buffer.concat([
        wavHeader({ rateHz: 16_000, channels: 1 }, sound.byteLength),
        Buffer.from(sound.buffer),
      ]),
    )
  })
  afterAll(async () => {
    for (const child of running) child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })

  /** Its time is that of the sound in the packets, so that a busy machine hears the same. */
  async function openSession(agreement: Agreement, onFrame: (samples: Int16Array) => void) {
    const coders = await openCoders([agreement.codec])
    let [nowMs, tickedMs] = [0, 0]
    const lastsMs = (bytes: number) =>
      agreement.codec === 'opus' ? 20 : (bytes - 12 - (agreement.crypto ? 10 : 0)) / 8
    const session: RtpSession = new RtpSession({
      rateHz: 16_000,
      coders,
      deadAfterMs: 60_000,
      rtcp: port.rtcp,
      now: () => nowMs,
      rtp: {
        send: port.rtp.send,
        listen: (onDatagram) =>
          port.rtp.listen(
            onDatagram &&
              ((bytes, ...from) => {
                nowMs += lastsMs(bytes.length)
                onDatagram(bytes, ...from)
                for (; tickedMs + 20 <= nowMs; tickedMs += 20) session.tick(tickedMs + 20)
              }),
          ),
      },
      random32: () => Math.floor(Math.random() * 2 ** 32),
      listener: { onFrame: ({ samples }) => onFrame(samples), onDigit() {}, onDead() {} },
    })
    session.use(agreement)
    session.answered()
    const send = (frame: Frame) => {
      nowMs += frameMs
      session.send(frame)
    }
    const close = () => {
      session.close()
      coders.close()
      port.close()
    }
    return { session, send, close }
  }

  const own = (codec: CodecName, isEncrypted: boolean): OwnMedia => ({
    sessionId: '1',
    address: '127.0.0.1',
    port: port.port,
    codecs: [codec],
    key: ourKey,
    srtp: isEncrypted ? 'required' : 'off',
  })

  /** What was agreed with an ffmpeg that answers our offer with itself. */
  function agreed(codec: CodecName, isEncrypted: boolean, theirPort: number): Agreement {
    const offer = makeOffer(own(codec, isEncrypted), 1)
    const answer = offer.replaceAll(ourKey, theirKey).replace(/m=audio \d+/, `m=audio ${theirPort}`)
    const negotiated = readAnswer(answer, own(codec, isEncrypted))
    if (negotiated.is === 'refused') throw new Error(negotiated.reason)
    return negotiated.agreement
  }

  it.each(variants)('decodes our %s (%j, encrypted: %s)', async (codec, _, isEncrypted) => {
    port = (await ports.open()) as RtpPort
    const theirs = (await ports.open()) as RtpPort
    const theirPort = theirs.port
    theirs.close()
    const offer = makeOffer(own(codec, isEncrypted), 1)
    // One key is enough for ffmpeg, and it reads the port where it is to listen.
    const sdp = offer.replace(/m=audio \d+/, `m=audio ${theirPort}`).replace(/a=crypto:2.*\r\n/, '')
    const [description, wav] = [
      join(folder, `${codec}-${isEncrypted}.sdp`),
      join(folder, `${codec}-${isEncrypted}.wav`),
    ]
    await writeFile(description, sdp)
    const input = ['-protocol_whitelist', 'file,udp,rtp,srtp', '-i', description]
    const child = spawn(
      'ffmpeg',
      ['-y', '-loglevel', 'error', ...input, '-t', '4', '-ac', '1', '-ar', '8000', wav],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    )
    running.push(child)
    const exit = once(child, 'exit')
    let isDone = false
    void exit.then(() => {
      isDone = true
    })
    const { send, close } = await openSession(agreed(codec, isEncrypted, theirPort), () => {})
    const frames = framesOf(sound, 16_000)
    // Until it has heard enough, and missed what came while it started; faster than in a call, because its clock is in the packets.
    for (let i = 0; !isDone; i++) {
      send(frames[i % frames.length] as Frame)
      await sleep(5)
    }
    close()
    const [samples = new Int16Array()] = parseWav(await readFile(wav)).channels
    expect(likeness(samples)).toBeGreaterThan(codec === 'opus' ? 0.85 : 0.97)
  })

  it.each(variants)('encodes %s for us (%j, encrypted: %s)', async (codec, encoder, isEncrypted) => {
    port = (await ports.open()) as RtpPort
    const agreement = agreed(codec, isEncrypted, 9)
    const heard: Int16Array[] = []
    const { session, close } = await openSession(agreement, (samples) => heard.push(samples.slice()))
    const keys = ['-srtp_out_suite', 'AES_CM_128_HMAC_SHA1_80', '-srtp_out_params', theirKey]
    // Packets of 20 ms where the codec does not say; the tag counts too.
    const [scheme, options, bytes] = isEncrypted ? ['srtp', keys, 182] : ['rtp', [], 172]
    const output = [
      ...options,
      `${scheme}://127.0.0.1:${port.port}${codec === 'opus' ? '' : `?pkt_size=${bytes}`}`,
    ]
    const rest = [
      ...encoder,
      '-ac',
      '1',
      '-payload_type',
      String(agreement.payloadType),
      '-f',
      'rtp',
      ...output,
    ]
    const child = execFile('ffmpeg', ['-loglevel', 'error', '-re', '-i', join(folder, 'sound.wav'), ...rest])
    running.push(child)
    try {
      await expect.poll(() => session.stats.packetsReceived).toBeGreaterThan(120)
    } finally {
      close()
      child.kill('SIGKILL')
    }
    const joined = new Int16Array(heard.length * 320)
    heard.forEach((frame, i) => {
      joined.set(frame, i * 320)
    })
    expect(likeness(resampled(joined, 16_000, 8_000))).toBeGreaterThan(codec === 'opus' ? 0.85 : 0.97)
  })
})
