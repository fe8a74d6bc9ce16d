// Claim: a telephone hears the greeting within 150 ms of the answer, in 95 of 100 calls, with the embedded voice, and with a
// vendor's voice whose greeting was spoken when the agent was saved; and so does the first call of a service that has loaded no
// engine, which rings until they are loaded.
//
// Through the whole service: from the 200 to the first packet above -50 dBFS. The yardstick is the first packet of all in the
// same calls: what the network, the ticker and the port cost without a voice.
import { setTimeout as sleep } from 'node:timers/promises'
import { moonshine, silero } from '../server/src/engines/models/catalogue.ts'
import { pronunciation } from '../server/src/engines/models/kokoro.ts'
import { decodeG711 } from '../server/src/media/g711.ts'
import { rtpHeaderBytes } from '../server/src/media/rtp.ts'
import { modelsAtHand } from '../server/test/props/engines/models-at-hand.ts'
import { type ElevenlabsTtsServer, openElevenlabsTts } from '../server/test/props/vendors/elevenlabs-tts.ts'
import { percentile } from './rounds.ts'
import { printIfMain, type Row, verdict } from './row.ts'
import { type Send, sender } from './service-client.ts'
import { answers, freePort, makeHome, startService } from './service-process.ts'
import { callBySip } from './sip-caller.ts'
import { levelDb } from './speech-bounds.ts'

const targetMs = 150
const audibleDb = -50
// A vendor needs this for its first sound. A greeting that had to be asked for would be as late.
const vendorMs = 500
const vendorKey = 'key-of-the-bench'
const calls = 40
const names = 'Anna Ben Clara David Emma Felix Grace Henry Iris Jack Karen Leo Mary Noah Olga Paul'.split(' ')

// A start costs seconds.
const coldStarts = 3

interface GreetingTimes {
  readonly ringingMs: number
  readonly packetMs: number
  readonly soundMs: number
}

const never: GreetingTimes = {
  ringingMs: Number.POSITIVE_INFINITY,
  packetMs: Number.POSITIVE_INFINITY,
  soundMs: Number.POSITIVE_INFINITY,
}

/**
 * The times from the answer to the first packet, and to the first that can be heard; null: there was none, and it hung
 * up.
 */
async function greet(agentId: string, port: number): Promise<GreetingTimes | null> {
  const { promise, resolve } = Promise.withResolvers<number>()
  let packetMs = Number.NaN
  const samples = new Int16Array(160)
  const onSound = (packet: Buffer) => {
    const nowMs = performance.now()
    if (Number.isNaN(packetMs)) packetMs = nowMs
    decodeG711('mu', packet, samples, rtpHeaderBytes, Math.min(packet.length, rtpHeaderBytes + 160))
    if (levelDb(samples) > audibleDb) resolve(nowMs)
  }
  const address = '127.0.0.1'
  const calledMs = performance.now()
  const call = await callBySip({
    from: address,
    to: `sip:${agentId}@${address}:${port}`,
    address,
    port,
    onSound,
  })
  const heardMs = await Promise.race([promise, call.left.then(() => null)])
  await call.hangUp()
  if (heardMs === null) return null
  const soundMs = heardMs - call.answeredMs
  return { ringingMs: call.answeredMs - calledMs, packetMs: packetMs - call.answeredMs, soundMs }
}

/** Differs from call to call. */
const greetingOf = (call: number): string => {
  const name = `${names[call % names.length]} ${names[(call * 7 + 3) % names.length]}`
  return `Hello, this is ${name} of Maple Dental. How can I help you?`
}

async function newAgent(send: Send, agent_welcome_message: string, more: object = {}): Promise<string> {
  const agent_config = { agent_name: 'Desk', llm_agent: {}, agent_welcome_message, ...more }
  return (await send<{ agent_id: string }>('POST', '/agents', { agent_config })).agent_id
}

const every = Array.from({ length: calls }, (_, call) => call)

/** None of these greetings is cached. */
async function withOwnVoice(send: Send, port: number): Promise<GreetingTimes[]> {
  const heard: GreetingTimes[] = []
  for (const call of every) heard.push((await greet(await newAgent(send, greetingOf(call)), port)) ?? never)
  return heard
}

/** All of these greetings are cached by the time of the call. */
async function withVendorsVoice(
  send: Send,
  port: number,
  vendor: ElevenlabsTtsServer,
): Promise<GreetingTimes[]> {
  const agents: string[] = []
  for (const call of every)
    agents.push(await newAgent(send, greetingOf(call), { synthesizer: { provider: 'elevenlabs' } }))
  const isSpoken = (call: number) => vendor.texts.some((text) => greetingOf(call).startsWith(text.trim()))
  while (!every.every(isSpoken)) await sleep(100)
  // The last sentence is stored a moment after it was spoken.
  for (let spoken = -1; spoken !== vendor.texts.length; ) {
    spoken = vendor.texts.length
    await sleep(2_000)
  }
  vendor.fault = { is: 'delay', ms: vendorMs }
  const heard: GreetingTimes[] = []
  for (const agent of agents) heard.push((await greet(agent, port)) ?? never)
  return heard
}

interface ColdCall {
  readonly first: GreetingTimes
  /** The next call of the same process. */
  readonly next: GreetingTimes
}

/** The first call of a service that has loaded nothing, and the call after it. */
async function coldCall(folder: string, nth: number): Promise<ColdCall> {
  const home = await makeHome()
  const port = await freePort()
  const env = {
    PARLEY_MODELS_DIR: folder,
    PARLEY_SIP_PORT: String(port),
    PARLEY_SIP_ALLOW: '127.0.0.1/32',
    PARLEY_WARM_ENGINES: 'false',
  }
  const service = await startService(home, { env })
  try {
    const send = sender(home.url)
    const [first, next] = [await newAgent(send, greetingOf(nth)), await newAgent(send, greetingOf(nth + 1))]
    // Its line is open, and the caller repeats no message.
    while (!(await answers(`${home.url}/readyz`))) await sleep(100)
    return { first: (await greet(first, port)) ?? never, next: (await greet(next, port)) ?? never }
  } finally {
    await service.stop()
    await home.remove()
  }
}

async function coldRow(folder: string): Promise<Row> {
  const calls: ColdCall[] = []
  while (calls.length < coldStarts) calls.push(await coldCall(folder, 2 * calls.length))
  const sounds = (of: keyof ColdCall) => calls.map((call) => call[of].soundMs).sort((a, b) => a - b)
  const [first, next] = [sounds('first'), sounds('next')]
  const ringing = calls.map((call) => call.first.ringingMs).sort((a, b) => a - b)
  return {
    claim: `answer (200) to the first sound of the greeting on SIP, the first call of each of ${coldStarts} cold services`,
    measured: `${show(first)}, after ringing for ${(percentile(ringing, 0.5) / 1_000).toFixed(1)} s in the median`,
    yardstick: `the next call of the same service: ${show(next)}`,
    ratio: (percentile(first, 0.5) / percentile(next, 0.5)).toFixed(1),
    target: `p95 ≤ ${targetMs} ms`,
    verdict: verdict(percentile(first, 0.95) <= targetMs),
  }
}

async function measure(): Promise<Row[]> {
  const { folder, absent } = await modelsAtHand(
    process.env.PARLEY_MODELS_DIR,
    silero,
    moonshine,
    pronunciation,
  )
  if (absent) return []
  const home = await makeHome()
  const port = await freePort()
  const vendor = await openElevenlabsTts(vendorKey)
  const service = await startService(home, {
    env: {
      PARLEY_MODELS_DIR: folder,
      PARLEY_SIP_PORT: String(port),
      PARLEY_SIP_ALLOW: '127.0.0.1/32',
      PARLEY_WARM_ENGINES: 'true',
      PARLEY_ELEVENLABS_API_KEY: vendorKey,
      PARLEY_VENDOR_BASE_URLS: `elevenlabs=${vendor.baseUrl}`,
    },
  })
  try {
    const send = sender(home.url)
    // Until the engines are warm.
    const first = await newAgent(send, 'Hello.')
    while ((await greet(first, port)) === null);
    return [
      rowOf(`${calls} new greetings`, await withOwnVoice(send, port)),
      rowOf(
        `${calls} greetings of a vendor that needs ${vendorMs} ms, spoken when the agents were saved`,
        await withVendorsVoice(send, port, vendor),
      ),
      await coldRow(folder),
    ]
  } finally {
    await service.stop()
    await vendor.close()
    await home.remove()
  }
}

const show = (all: readonly number[]) =>
  `p95 ${percentile(all, 0.95).toFixed(0)} ms, median ${percentile(all, 0.5).toFixed(0)} ms`

function rowOf(what: string, heard: readonly GreetingTimes[]): Row {
  const sorted = (of: keyof GreetingTimes) => heard.map((one) => one[of]).sort((a, b) => a - b)
  const [sound, packet] = [sorted('soundMs'), sorted('packetMs')]
  return {
    claim: `answer (200) to the first sound of the greeting on SIP, ${what}`,
    measured: show(sound),
    yardstick: `the first packet of all: ${show(packet)}`,
    ratio: (percentile(sound, 0.95) / percentile(packet, 0.95)).toFixed(1),
    target: `p95 ≤ ${targetMs} ms`,
    verdict: verdict(percentile(sound, 0.95) <= targetMs),
  }
}

await printIfMain(import.meta.url, measure)
