// Claim: beside eight busy processes on two cores the sound of ten telephone calls is at most 60 ms behind the clock after a minute,
// and the record says within 50 ms how long the caller waited for an answer.
//
// The whole service with SIP and RTP over loopback, vendors of speech that answer at once, and callers that run before everything else, so
// that what they measure is the service. What a caller says and hears is a sound file of two channels (KEEP_SOUND=<file> keeps the first
// one); the yardstick is the same without the busy processes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { CallDetail } from '../contract/src/index.ts'
import { minilm, silero } from '../server/src/engines/models/catalogue.ts'
import { decodeG711, encodeG711 } from '../server/src/media/g711.ts'
import { makeRtpHeader, readRtp, rtpHeaderBytes, writeRtp } from '../server/src/media/rtp.ts'
import { interleave, wavHeader } from '../server/src/media/wav.ts'
import { readClips, resampled } from '../server/test/props/engines/clips.ts'
import { modelsAtHand } from '../server/test/props/engines/models-at-hand.ts'
import { onExit } from './cleanup-on-exit.ts'
import { openDeepgram } from './deepgram-server.ts'
import { percentile } from './rounds.ts'
import { printIfMain, type Row, verdict } from './row.ts'
import { type Send, sender } from './service-client.ts'
import { freePort, makeHome, startService } from './service-process.ts'
import { callBySip } from './sip-caller.ts'
import { levelDb, spokenPlace } from './speech-bounds.ts'

const calls = 10
const busyProcesses = 8
const forMs = 60_000
const target = { behindMs: 60, offMs: 50 }
const frameMs = 20
const frameSamples = 160
const audibleDb = -50
// A vowel is within so much of the loudest for so long.
const vowelDb = 6
const vowelFrames = 4
// The agent has finished when it has been silent for so long.
const breathMs = 700
const chrt = '/usr/bin/chrt'
const isFirst = process.argv.includes('--first')

interface CallerReport {
  /** How far each packet of the last five seconds was behind the clock of the first second. */
  readonly behindMs: readonly number[]
  /** From the end of each thing the caller said to the first sound of the answer, in the sound file. */
  readonly waitsMs: readonly number[]
  /** The same by the record of the call. */
  readonly recordedMs: readonly number[]
  readonly lateFrames: number
}

/** Telephone speech that ends in the last loud vowel, so that nobody can be of two minds about where that is. */
function spoken(): Int16Array {
  const clip = readClips().find(({ name }) => name === 'goforward')
  if (!clip) throw new Error('There is no clip to say.')
  const samples = resampled(clip.samples, 16_000, 8_000)
  const { fromMs, toMs } = spokenPlace(samples, 8_000)
  const frames = Array.from({ length: Math.floor((toMs - fromMs) / frameMs) }, (_, n) =>
    samples.slice(fromMs * 8 + n * frameSamples, fromMs * 8 + (n + 1) * frameSamples),
  )
  const loudestDb = Math.max(...frames.map(levelDb))
  const isLoud = frames.map((frame) => levelDb(frame) > loudestDb - vowelDb)
  const last = isLoud.findLastIndex(
    (_, n) => n >= vowelFrames && isLoud.slice(n - vowelFrames + 1, n + 1).every(Boolean),
  )
  return samples.slice(fromMs * 8, fromMs * 8 + (last + 1) * frameSamples)
}

/** What a caller says and hears, on one clock. */
class TwoChannels {
  readonly said = new Int16Array((forMs + 5_000) * 8)
  readonly heard = new Int16Array((forMs + 5_000) * 8)
  readonly saidUntilMs: number[] = []
  #heardTo = 0

  /** Sound is heard when it comes, and after what came before it. */
  hear(samples: Int16Array, atMs: number): void {
    const at = Math.max(this.#heardTo, Math.round(atMs * 8))
    if (at + samples.length > this.heard.length) return
    this.heard.set(samples, at)
    this.#heardTo = at + samples.length
  }

  waitsMs(): number[] {
    return this.saidUntilMs.flatMap((endMs) => {
      for (let at = endMs * 8; at + 80 <= this.heard.length && at < (endMs + 15_000) * 8; at += 80)
        if (levelDb(this.heard.subarray(at, at + 80)) > audibleDb) return [at / 8 - endMs]
      return []
    })
  }

  write(file: string): void {
    const both = new Int16Array(2 * this.said.length)
    interleave(this.said, this.heard, both)
    writeFileSync(file, wavHeader({ rateHz: 8_000, channels: 2 }, both.byteLength))
    writeFileSync(file, new Uint8Array(both.buffer), { flag: 'a' })
  }
}

async function talk(
  agentId: string,
  port: number,
  place: number,
  words: Int16Array,
): Promise<Pick<CallerReport, 'behindMs' | 'waitsMs'>> {
  const file = new TwoChannels()
  const header = makeRtpHeader()
  const samples = new Int16Array(frameSamples)
  const transits: { atMs: number; ms: number }[] = []
  let startMs = performance.now()
  let [loudMs, hasHeard] = [0, false]
  const onSound = (packet: Buffer) => {
    const nowMs = performance.now()
    if (!readRtp(packet, header) || header.payloadType !== 0) return
    transits.push({ atMs: nowMs, ms: nowMs - header.timestamp / 8 })
    decodeG711('mu', packet, samples, header.start, header.end)
    file.hear(samples, nowMs - startMs)
    if (levelDb(samples) <= audibleDb) return
    loudMs = nowMs
    hasHeard = true
  }
  const address = '127.0.0.1'
  const to = `sip:${agentId}@${address}:${port}`
  const call = await callBySip({ from: address, to, address, port, onSound })
  startMs = call.answeredMs
  const packet = new Uint8Array(rtpHeaderBytes + frameSamples)
  const silence = new Int16Array(frameSamples)
  let left: Int16Array | null = null
  for (let sent = 0; sent * frameMs < forMs; sent++) {
    const dueMs = startMs + sent * frameMs
    await sleep(Math.max(0, dueMs - performance.now()))
    const isQuiet = hasHeard && performance.now() - loudMs > breathMs
    // The last seconds are for the answer.
    if (left === null && isQuiet && sent * frameMs < forMs - 6_000) left = words
    const frame = left ? left.subarray(0, frameSamples) : silence
    // A packet leaves when its last sample has been said.
    if (left && sent > 0) file.said.set(frame, (sent - 1) * frameSamples)
    const whole = frame.length === frameSamples ? frame : silence
    encodeG711('mu', whole, packet, rtpHeaderBytes)
    writeRtp(packet, 0, sent === 0, sent & 0xffff, sent * frameSamples, place + 1)
    call.sound.send(packet.slice(), call.farSound.port, call.farSound.address)
    if (!left) continue
    left = left.subarray(frameSamples)
    if (left.length >= frameSamples) continue
    left = null
    hasHeard = false
    file.saidUntilMs.push(sent * frameMs)
  }
  await call.hangUp()
  if (place === 0 && process.env.KEEP_SOUND) file.write(process.env.KEEP_SOUND)
  const first = transits.filter(({ atMs }) => atMs < startMs + 1_000).map(({ ms }) => ms)
  const last = transits.filter(({ atMs }) => atMs > startMs + forMs - 5_000).map(({ ms }) => ms)
  const startedMs = Math.min(...first)
  return { behindMs: last.map((ms) => ms - startedMs), waitsMs: file.waitsMs() }
}

async function recordOf(
  send: Send,
  agentId: string,
): Promise<Pick<CallerReport, 'recordedMs' | 'lateFrames'>> {
  for (;;) {
    const { data } = await send<{ data: { session_id: string }[] }>('GET', `/calls?agent_id=${agentId}`)
    const sessionId = data[0]?.session_id
    const call = sessionId ? await send<CallDetail>('GET', `/call/detail/${sessionId}`) : undefined
    if (call?.call_completed_time)
      return {
        recordedMs: call.latency.turns.map(({ total }) => total ?? Number.NaN),
        lateFrames: call.line?.frames_late ?? 0,
      }
    await sleep(500)
  }
}

function startBusyProcesses(count: number): () => void {
  const busy = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', 'for(;;);'], { stdio: 'ignore' }),
  )
  const stop = () => busy.forEach((one) => void one.kill('SIGKILL'))
  const cleanup = onExit(stop)
  return () => {
    stop()
    cleanup.cancel()
  }
}

async function beside(busy: number): Promise<CallerReport[]> {
  const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero, minilm)
  if (absent) throw new Error(absent)
  const [home, port, vendor] = [await makeHome(), await freePort(), await openDeepgram()]
  const service = await startService(home, {
    env: {
      PARLEY_MODELS_DIR: folder,
      PARLEY_SIP_PORT: String(port),
      PARLEY_SIP_ALLOW: '127.0.0.1/32',
      PARLEY_DEEPGRAM_API_KEY: 'bench',
      PARLEY_VENDOR_BASE_URLS: `deepgram=${vendor.baseUrl}`,
    },
  })
  try {
    const send = sender(home.url)
    const words = spoken()
    const agents: string[] = []
    for (let n = 0; n < calls; n++) {
      const agent_config = {
        agent_name: `Desk ${n}`,
        llm_agent: {},
        agent_welcome_message: 'Hello, how can I help you?',
        transcriber: { provider: 'deepgram' },
        synthesizer: { provider: 'deepgram' },
      }
      agents.push((await send<{ agent_id: string }>('POST', '/agents', { agent_config })).agent_id)
    }
    const warm = await callBySip({
      from: '127.0.0.1',
      to: `sip:${agents[0]}@127.0.0.1:${port}`,
      address: '127.0.0.1',
      port,
    })
    await sleep(3_000)
    await warm.hangUp()
    await sleep(1_000)
    const stopBusy = startBusyProcesses(busy)
    const heard = await Promise.all(agents.map((agent, place) => talk(agent, port, place, words))).finally(
      stopBusy,
    )
    return await Promise.all(
      agents.map(async (agent, place) => ({
        ...(heard[place] as (typeof heard)[number]),
        ...(await recordOf(send, agent)),
      })),
    )
  } finally {
    await service.stop()
    await vendor.close()
    await home.remove()
  }
}

/** In a process that runs before everything else; what it starts does not. */
async function measured(): Promise<{ busy: CallerReport[]; calm: CallerReport[] }> {
  const command = existsSync(chrt) ? [chrt, '--reset-on-fork', '--fifo', '50'] : []
  const [file = '', ...args] = [...command, process.execPath, fileURLToPath(import.meta.url), '--first']
  const first = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const cleanup = onExit(() => first.kill())
  const pieces: Buffer[] = []
  first.stdout.on('data', (piece: Buffer) => pieces.push(piece))
  const [code] = await once(first, 'close')
  cleanup.cancel()
  if (code !== 0) throw new Error('The callers could not call.')
  return JSON.parse(Buffer.concat(pieces).toString())
}

/** Pairs the answers of the sound file with those of the record, from the last to the first: the greeting is in neither. */
const offMs = ({ waitsMs, recordedMs }: CallerReport): number[] => {
  const count = Math.min(waitsMs.length, recordedMs.length)
  const heard = waitsMs.slice(-count)
  return recordedMs.slice(-count).map((ms, n) => ms - (heard[n] as number))
}

const show = (reports: readonly CallerReport[]): string => {
  const waits = reports.flatMap(({ waitsMs }) => [...waitsMs])
  const recorded = reports.flatMap(({ recordedMs }) => [...recordedMs])
  const off = reports.flatMap(offMs)
  const late = reports.reduce((sum, { lateFrames }) => sum + lateFrames, 0)
  const behind = reports.flatMap(({ behindMs }) => [...behindMs])
  return `sound ${percentile(behind, 0.5).toFixed(0)} ms behind (p99 ${percentile(behind, 0.99).toFixed(0)} ms, at most ${Math.max(...behind).toFixed(0)} ms); ${waits.length} answers, median ${percentile(waits, 0.5).toFixed(0)} ms in the sound file and ${percentile(recorded, 0.5).toFixed(0)} ms in the record (p95 ${percentile(waits, 0.95).toFixed(0)} and ${percentile(recorded, 0.95).toFixed(0)} ms), differences ${percentile(off, 0.05).toFixed(0)} to ${percentile(off, 0.95).toFixed(0)} ms, median ${percentile(off, 0.5).toFixed(0)} ms; ${late} frames late`
}

async function measure(): Promise<Row[]> {
  const { busy, calm } = await measured()
  const behindMs = percentile(
    busy.flatMap((report) => [...report.behindMs]),
    0.99,
  )
  const medianOffMs = Math.abs(percentile(busy.flatMap(offMs), 0.5))
  return [
    {
      claim: `${calls} telephone calls for a minute beside ${busyProcesses} busy processes: how far the sound is behind, and how true the record is`,
      measured: show(busy),
      yardstick: `without them: ${show(calm)}`,
      ratio: '–',
      target: `p99 ≤ ${target.behindMs} ms behind, median difference ≤ ${target.offMs} ms`,
      verdict: verdict(behindMs <= target.behindMs && medianOffMs <= target.offMs),
    },
  ]
}

if (isFirst) {
  const calm = await beside(0)
  const busy = await beside(busyProcesses)
  process.stdout.write(JSON.stringify({ busy, calm }), () => process.exit(0))
} else await printIfMain(import.meta.url, measure, { coresAwake: false })
