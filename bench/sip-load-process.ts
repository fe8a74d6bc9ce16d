// One side of a load of telephone calls, started by sip-load.ts: our calls, a bare reflector, or the far ends of both.
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { openCoders } from '../server/src/carriers/sip/sound/codecs.ts'
import type { Agreement } from '../server/src/carriers/sip/sound/negotiate.ts'
import { type RtpPort, RtpPorts } from '../server/src/carriers/sip/sound/rtp-ports.ts'
import { RtpSession } from '../server/src/carriers/sip/sound/rtp-session.ts'
import { makeFrame } from '../server/src/media/frame.ts'
import { mixInto } from '../server/src/media/mix.ts'
import { rtpHeaderBytes, writeRtp } from '../server/src/media/rtp.ts'
import { openTicker } from '../server/src/platform/clock/ticker.ts'
import type { SipLoad, SipLoadReport } from './sip-load.ts'

const frameMs = 20
const load = JSON.parse(process.argv[2] ?? '') as SipLoad
const random32 = () => Math.floor(Math.random() * 2 ** 32)

/** When each call sends, and how evenly. */
class Departures {
  readonly #lastMs: Float64Array
  readonly errorsMs: number[] = []
  isCounting = false
  packets = 0

  constructor(calls: number) {
    this.#lastMs = new Float64Array(calls)
  }

  note(call: number): void {
    const nowMs = performance.now()
    if (this.isCounting) {
      this.packets++
      this.errorsMs.push(Math.abs(nowMs - (this.#lastMs[call] as number) - frameMs))
    }
    this.#lastMs[call] = nowMs
  }
}

const agreement: Agreement = {
  codec: 'PCMU',
  payloadType: 0,
  parameters: null,
  accepts: [{ payloadType: 0, codec: 'PCMU' }],
  digits: { payloadType: 101, clockHz: 8_000, accepts: [101] },
  comfortNoise: null,
  remote: { address: '127.0.0.1', port: load.farPort },
  // RTCP goes to another port: a report is no packet of sound, and would be counted as one that left too soon.
  remoteRtcp: { address: '127.0.0.1', port: load.farPort + 1 },
  ptimeMs: frameMs,
  direction: 'sendrecv',
  crypto: null,
}

/** Every part that sound passes in a call: socket, jitter buffer, resampling, a mix, and back, by the ticker. */
async function carryCalls(departures: Departures): Promise<void> {
  const ports = new RtpPorts('127.0.0.1', { from: load.firstPort, to: load.firstPort + 2 * load.calls + 1 })
  const ticker = openTicker()
  const ambience = makeFrame(16_000)
  for (let i = 0; i < ambience.samples.length; i++) ambience.samples[i] = ((i * 7_919) % 101) - 50
  for (let call = 0; call < load.calls; call++) {
    const port = await ports.open()
    if (!port || port.port !== load.firstPort + 2 * call)
      throw new Error('The ports of this benchmark are in use.')
    const mixed = makeFrame(16_000)
    const session = new RtpSession({
      rtp: noting(port, call, departures),
      rtcp: port.rtcp,
      rateHz: 16_000,
      random32,
      coders: await openCoders(['PCMU']),
      now: () => performance.now(),
      deadAfterMs: 20_000,
      listener: {
        onFrame({ samples }) {
          mixed.samples.set(samples)
        },
        onDigit() {},
        onDead: () => console.error(`Call ${call} hears nothing.`),
      },
    })
    session.use(agreement)
    session.answered()
    ticker.add((nowMs) => {
      session.tick(nowMs)
      mixInto(mixed.samples, ambience.samples)
      session.send(mixed)
    })
  }
}

const noting = ({ rtp }: RtpPort, call: number, departures: Departures): RtpPort['rtp'] => ({
  send(bytes, address, port) {
    departures.note(call)
    rtp.send(bytes, address, port)
  },
  listen: (onDatagram) => rtp.listen(onDatagram),
})

/** The least that a program can do with the same packets. */
async function reflect(departures: Departures): Promise<void> {
  for (let call = 0; call < load.calls; call++) {
    const socket = createSocket('udp4')
    socket.on('message', (bytes, from) => {
      departures.note(call)
      socket.send(bytes, from.port, from.address)
    })
    await bound(socket, load.firstPort + 2 * call)
  }
}

/** One packet for each call every 20 ms, spread over the time, from one socket; what comes back is counted. */
async function playFarEnds(): Promise<void> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 4 * 2 ** 20, sendBufferSize: 4 * 2 ** 20 })
  await bound(socket, load.farPort)
  const packets = Array.from({ length: load.calls }, () => new Uint8Array(rtpHeaderBytes + 160).fill(0xd5))
  const tickMs = 2
  const perTick = (load.calls * tickMs) / frameMs
  let turns = 0
  const startMs = performance.now()
  setInterval(() => {
    const due = Math.floor((performance.now() - startMs) / tickMs) * perTick
    for (; turns < due; turns++) {
      const call = turns % load.calls
      const round = Math.floor(turns / load.calls)
      const packet = packets[call] as Uint8Array
      writeRtp(packet, 0, round === 0, round & 0xffff, (round * 160) >>> 0, call + 1)
      socket.send(packet.slice(), load.firstPort + 2 * call, '127.0.0.1')
    }
  }, tickMs)
}

async function bound(socket: Socket, port: number): Promise<void> {
  const listening = once(socket, 'listening')
  socket.bind(port, '127.0.0.1')
  await listening
}

if (load.of === 'far-ends') {
  await playFarEnds()
  console.log('ready')
} else {
  const departures = new Departures(load.calls)
  await (load.of === 'calls' ? carryCalls(departures) : reflect(departures))
  await sleep(load.warmUpMs)
  const [cpu, fromMs] = [process.cpuUsage(), performance.now()]
  departures.isCounting = true
  await sleep(load.forMs)
  const { user, system } = process.cpuUsage(cpu)
  const tookMs = performance.now() - fromMs
  const report: SipLoadReport = {
    errorsMs: departures.errorsMs.sort((a, b) => a - b).filter((_, i) => i % 10 === 0),
    packetsShare: departures.packets / ((tookMs / frameMs) * load.calls),
    cpuShare: (user + system) / 1_000 / tookMs,
  }
  // A pipe takes what is written in pieces: leave once the last has gone.
  process.stdout.write(JSON.stringify(report), () => process.exit(0))
}
