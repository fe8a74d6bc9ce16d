// Claim: a telephone hears the greeting within 150 ms of the answer, in 95 of 100 calls, with the embedded voice.
//
// Through the whole service: from the 200 to the first packet above -50 dBFS. The yardstick is the first packet of all in the
// same calls: what the network, the ticker and the port cost without a voice.
import { moonshine, silero } from '../server/src/adapters/embedded/models/catalogue.ts'
import { pronunciation } from '../server/src/adapters/embedded/models/kokoro.ts'
import { decodeG711 } from '../server/src/media/g711.ts'
import { rtpHeaderBytes } from '../server/src/media/rtp.ts'
import { modelsAtHand } from '../server/test/props/engines/models-at-hand.ts'
import { percentile } from './rounds.ts'
import { printIfMain, type Row, verdict } from './row.ts'
import { sender } from './service-client.ts'
import { freePort, makeHome, startService } from './service-process.ts'
import { callBySip } from './sip-caller.ts'
import { levelDb } from './speech-bounds.ts'

const targetMs = 150
const audibleDb = -50
const calls = 40
const names = 'Anna Ben Clara David Emma Felix Grace Henry Iris Jack Karen Leo Mary Noah Olga Paul'.split(' ')

interface Heard {
  readonly packetMs: number
  readonly soundMs: number
}

const never: Heard = { packetMs: Number.POSITIVE_INFINITY, soundMs: Number.POSITIVE_INFINITY }

/** From the answer to the first packet, and to the first that can be heard; null: there was none, and it hung up. */
async function greet(agentId: string, port: number): Promise<Heard | null> {
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
  return { packetMs: packetMs - call.answeredMs, soundMs }
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
  const service = await startService(home, {
    env: {
      PARLEY_MODELS_DIR: folder,
      PARLEY_SIP_PORT: String(port),
      PARLEY_SIP_ALLOW: '127.0.0.1/32',
      PARLEY_WARM_ENGINES: 'true',
    },
  })
  try {
    const send = sender(home.url)
    const newAgent = async (words: string): Promise<string> => {
      const agent_config = { agent_name: 'Desk', llm_agent: {}, agent_welcome_message: words }
      return (await send<{ agent_id: string }>('POST', '/agents', { agent_config })).agent_id
    }
    // Until the engines are warm.
    const first = await newAgent('Hello.')
    while ((await greet(first, port)) === null);
    const heard: Heard[] = []
    // None of these greetings is cached.
    for (let call = 0; call < calls; call++) {
      const name = `${names[call % names.length]} ${names[(call * 7 + 3) % names.length]}`
      const words = `Hello, this is ${name} of Maple Dental. How can I help you?`
      heard.push((await greet(await newAgent(words), port)) ?? never)
    }
    return [rowOf(heard)]
  } finally {
    await service.stop()
    await home.remove()
  }
}

const show = (all: readonly number[]) =>
  `p95 ${percentile(all, 0.95).toFixed(0)} ms, median ${percentile(all, 0.5).toFixed(0)} ms`

function rowOf(heard: readonly Heard[]): Row {
  const sorted = (of: keyof Heard) => heard.map((one) => one[of]).sort((a, b) => a - b)
  const [sound, packet] = [sorted('soundMs'), sorted('packetMs')]
  return {
    claim: `answer (200) to the first sound of the greeting on SIP, ${calls} new greetings`,
    measured: show(sound),
    yardstick: `the first packet of all: ${show(packet)}`,
    ratio: (percentile(sound, 0.95) / percentile(packet, 0.95)).toFixed(1),
    target: `p95 ≤ ${targetMs} ms`,
    verdict: verdict(percentile(sound, 0.95) <= targetMs),
  }
}

await printIfMain(import.meta.url, measure)
