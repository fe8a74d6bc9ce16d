// Claim: of people who pick up, at most 5 % are taken for a machine, and of voicemail boxes at most 5 % for a person.
// Greetings of bench/greetings/, spoken by several voices, some in noise, all in µ-law, on the virtual clock: they go
// through the real voice detector, recogniser and call: node bench/who-answered.ts [--tune] [--people | --machines] [--print].
import { AgentConfig } from '../contract/src/index.ts'
import { startCall } from '../server/src/call/session.ts'
import { sandboxCarrier } from '../server/src/carriers/sandbox/sandbox.ts'
import { kokoroSynthesizer } from '../server/src/engines/kokoro/kokoro.ts'
import { moonshine, silero } from '../server/src/engines/models/catalogue.ts'
import { pronunciation } from '../server/src/engines/models/kokoro.ts'
import { kokoro } from '../server/src/engines/models/sets.ts'
import { moonshineTranscriber } from '../server/src/engines/moonshine/moonshine.ts'
import { sileroDetector } from '../server/src/engines/silero/silero.ts'
import { wrenSynthesizer } from '../server/src/engines/wren/wren.ts'
import type { CallOutcome } from '../server/src/ports/call.ts'
import { overClauses } from '../server/src/ports/clause-stream.ts'
import { planOf } from '../server/src/resources/calls/plan/plan-call.ts'
import { openAmbience } from '../server/src/speech/ambience.ts'
import { modelsAtHand } from '../server/test/props/engines/models-at-hand.ts'
import { joined, said } from '../server/test/props/engines/said.ts'
import { openVirtualTicker } from '../server/test/props/virtual-clock/virtual-ticker.ts'
import { scriptedModel } from '../server/test/support/scenario/scripted-model.ts'
import { type Greeting, type GreetingSet, reporting, tuning } from './greetings/greetings.ts'
import { printIfMain, type Row, verdict } from './row.ts'

const mostWrong = 0.05
// Longer than the longest greeting with its beep.
const longestCallMs = 25_000
// The longest greeting of a person, and the agent's first words to it.
const personMs = 10_000
const isPrinted = process.argv.includes('--print')
const isTuned = process.argv.includes('--tune')
const isAsked = (half: '--people' | '--machines') =>
  process.argv.includes(half) || !process.argv.some((word) => ['--people', '--machines'].includes(word))

const wrens = ['michael', 'heart', 'fenrir', 'bella'] as const
// Voices that wren does not have.
const kokoros = ['af_sarah', 'am_puck', 'bf_emma', 'bm_george', 'af_kore', 'af_nicole'] as const
/** dB of full scale; null: a quiet room. */
const noises = [
  null,
  null,
  { track: 'cafe', level_db: -42 },
  null,
  null,
  { track: 'street', level_db: -38 },
] as const

type Fixture = Awaited<ReturnType<typeof open>>

async function open(folder: string) {
  const wren = wrenSynthesizer({ folder })
  const other = kokoroSynthesizer({ folder })
  const transcriber = moonshineTranscriber({ folder })
  const detector = sileroDetector({ folder })
  const ticker = openVirtualTicker()
  return {
    wren,
    other,
    transcriber,
    detector,
    ticker,
    async close() {
      await ticker.close()
      for (const engine of [wren, other, transcriber, detector]) await engine.close()
    },
  }
}

/** Every third greeting by Kokoro, which is slow, the others by wren; all voices in turn. */
async function spoken({ wren, other }: Fixture, text: string, place: number): Promise<Int16Array> {
  const isKokoro = place % 3 === 1
  const voices = isKokoro ? kokoros : wrens
  const voice = voices[Math.floor(place / 3) % voices.length] ?? ''
  return joined(await said(isKokoro ? other : wren, text, { voice, rateHz: 8_000 }))
}

function tone({ hz, ms }: NonNullable<Greeting['beep']>): Int16Array {
  const level = 5_000
  return Int16Array.from({ length: ms * 8 }, (_, n) => level * Math.sin((2 * Math.PI * hz * n) / 8_000))
}

async function answeredBy(fixture: Fixture, greeting: Greeting, place: number, isPerson: boolean) {
  const sound = await spoken(fixture, greeting.text, place)
  const { beep } = greeting
  const sounds = { greeting: () => sound, tone: () => (beep ? tone(beep) : new Int16Array()) }
  const carrier = sandboxCarrier({
    ...fixture,
    synthesizer: fixture.wren,
    noise: openAmbience,
    voice: 'fenrir',
    sounds,
  })
  const noise = noises[place % noises.length]
  const after = isPerson
    ? [{ stay_silent_ms: 30_000 }]
    : [...(beep ? [{ sound: 'tone', after_ms: 500 }] : []), { stay_silent_ms: 30_000 }]
  const sandbox = {
    codec: 'PCMU',
    ...(noise && { noise }),
    steps: [{ sound: 'greeting', after_ms: 400 }, ...after],
  }
  return listen(fixture, carrier, sandbox, isPerson ? personMs : longestCallMs)
}

async function listen(
  { transcriber, detector, ticker, wren }: Fixture,
  carrier: ReturnType<typeof sandboxCarrier>,
  sandbox: object,
  stopAfterMs: number,
): Promise<CallOutcome> {
  const call = { sessionId: 's', workspaceId: 'w', agentId: 'a', to: '+15550100', from: null, provider: null }
  const plan = planOf(
    AgentConfig.parse({
      agent_name: 'Test',
      llm_agent: {},
      agent_welcome_message: 'Hello, this is Maple Dental.',
    }),
    { ...call, number: null, callType: 'outbound', variables: {}, metadata: { sandbox } },
    new Date(0),
  )
  const session = startCall(plan, {
    connect: (listener) => carrier.dial({ ...call, trunkId: null, metadata: { sandbox } }, listener),
    transcriber,
    detector,
    voice: 'heart',
    engines: [],
    onUpdate() {},
    synthesizer: overClauses(wren, ['en']),
    model: scriptedModel(['Am I speaking with Ada?', 'Thank you.']),
    tools: { descriptions: [], waitingWords: () => undefined, run: async () => '' },
  })
  let begunMs: number | undefined
  const ticks = ticker.add((nowMs) => {
    begunMs ??= nowMs
    if (nowMs - begunMs >= stopAfterMs) session.stop('api')
    session.tick(nowMs - begunMs)
  })
  const outcome = await session.done
  ticks.end()
  return outcome
}

const people = new Set(['human', 'unknown'])

// Calls share one clock, which waits for all of them: running more at once saves some of the waiting.
const atOnce = 8

async function wrongOf(
  fixture: Fixture,
  greetings: readonly Greeting[],
  arePeople: boolean,
): Promise<number> {
  let wrong = 0
  const waiting = greetings.entries()
  const listenOn = async () => {
    for (const [place, greeting] of waiting) {
      const { answeredBy: by, transcript } = await answeredBy(fixture, greeting, place, arePeople)
      const isRight = arePeople ? people.has(by ?? '') : by === 'voicemail'
      if (!isRight) wrong++
      const heard = transcript.filter(({ role }) => role === 'user').map(({ content }) => content)
      if (isPrinted) console.error(`${isRight ? ' ' : '✗'} ${by}: ${greeting.text}  →  ${heard.join(' | ')}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, listenOn))
  return wrong
}

async function measure(): Promise<Row[]> {
  const { folder, absent } = await modelsAtHand(
    process.env.PARLEY_MODELS_DIR,
    ...kokoro,
    pronunciation,
    silero,
    moonshine,
  )
  if (absent) {
    console.error(`skipped: ${absent}`)
    return []
  }
  const fixture = await open(folder)
  const set: GreetingSet = isTuned ? tuning : reporting
  try {
    const rows: Row[] = []
    if (isAsked('--people')) {
      const people = set.people.map((text) => ({ text }))
      const wrong = await wrongOf(fixture, people, true)
      rows.push(rowOf('people taken for a machine', wrong, people.length))
    }
    if (isAsked('--machines')) {
      const wrong = await wrongOf(fixture, set.machines, false)
      rows.push(rowOf('voicemail boxes taken for a person', wrong, set.machines.length))
    }
    return rows
  } finally {
    await fixture.close()
  }
}

const rowOf = (what: string, wrong: number, count: number): Row => ({
  claim: `${what}, ${isTuned ? 'the set to tune by' : 'the set to report on'}`,
  measured: `${wrong} of ${count}, ${((100 * wrong) / count).toFixed(1)} %`,
  yardstick: 'none: greetings made from texts by our own voices, not recorded from telephones',
  ratio: '–',
  target: `≤ ${100 * mostWrong} %`,
  verdict: verdict(wrong / count <= mostWrong),
})

await printIfMain(import.meta.url, measure)
