// 20,000 packets each way through the sound of a call: apart from what the socket makes, the garbage collector stays idle.
import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'

const module = (name: string) => JSON.stringify(new URL(`./${name}.ts`, import.meta.url).href)

/** Runs in a process with a young generation of 1 MB: every 50 bytes per packet cause one collection. */
const program = (codec: string) => `
  import { PerformanceObserver } from 'node:perf_hooks'
  import { codecs, openCoders } from ${module('codecs')}
  import { RtpSession } from ${module('rtp-session')}
  import { writeRtp } from ${module('../../../media/rtp')}

  const codec = ${JSON.stringify(codec)}
  const { payloadType } = codecs[codec].format
  let nowMs = 0, sent = 0, deliver = () => {}
  const silent = { send() {}, listen() {} }
  const session = new RtpSession({
    rtp: { send() { sent++ }, listen(onDatagram) { deliver = onDatagram } },
    rtcp: silent, rateHz: 16_000, coders: await openCoders([codec]), deadAfterMs: 20_000, now: () => nowMs,
    random32: () => 7, listener: { onFrame() {}, onDigit() {}, onDead() {} },
  })
  const remote = { address: '192.0.2.1', port: 4_000 }
  session.use({
    codec, payloadType, parameters: null, accepts: [{ payloadType, codec }], digits: { payloadType: 101, clockHz: 8_000, accepts: [101] },
    comfortNoise: null, remote, remoteRtcp: remote, ptimeMs: 20, direction: 'sendrecv', crypto: null,
  })
  session.answered()
  const frame = { rateHz: 16_000, samples: Int16Array.from({ length: 320 }, (_, i) => 9_000 * Math.sin(i)) }
  const packet = new Uint8Array(172).fill(0x55)
  const step = (i) => {
    nowMs = i * 20
    writeRtp(packet, payloadType, false, i & 0xffff, (i * 160) >>> 0, 9)
    if (i % 50 !== 7) deliver(packet, '192.0.2.1', 4_000)
    session.tick(nowMs + 3)
    session.send(frame)
  }
  for (let i = 0; i < 4_000; i++) step(i)
  globalThis.gc()
  let collections = 0
  const observer = new PerformanceObserver((list) => { collections += list.getEntries().length })
  await new Promise((resolve) => setTimeout(resolve, 20))
  observer.observe({ entryTypes: ['gc'] })
  for (let i = 4_000; i < 24_000; i++) step(i)
  await new Promise((resolve) => setTimeout(resolve, 20))
  console.log(JSON.stringify({ collections, sent }))
`

describe.each(['PCMU', 'G722'])('%s', (codec) => {
  it('makes no garbage for each packet', () => {
    const flags = [
      '--expose-gc',
      '--max-semi-space-size=1',
      '--min-semi-space-size=1',
      '--input-type=module',
      '-e',
    ]
    const { stdout, stderr } = spawnSync(process.execPath, [...flags, program(codec)], { encoding: 'utf8' })
    expect(stderr).toBe('')
    const { collections, sent } = JSON.parse(stdout)
    // And a report every few seconds.
    expect(sent).toBeGreaterThanOrEqual(24_000)
    // V8 boxes a number here and there; one object or view for each packet would cause several times as many.
    expect(collections).toBeLessThan(5)
  })
})
