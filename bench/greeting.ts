// Claim: the greeting is heard within 300 ms of the answer, in 95 of 100 calls, with the embedded voice.
//
// Over the sandbox line; the first audible frame is the first one above -50 dBFS. A greeting with the caller's name is
// new to the synthesizer; a fixed one is cached.
import { randomUUID } from 'node:crypto'
import { startCall } from '../server/src/call/session.ts'
import { sandboxCarrier } from '../server/src/carriers/sandbox/sandbox.ts'
import { type EmbeddedEngines, openEmbedded } from '../server/src/engines/engines.ts'
import { moonshine, silero } from '../server/src/engines/models/catalogue.ts'
import { pronunciation } from '../server/src/engines/models/kokoro.ts'
import { openTicker, type Ticker } from '../server/src/platform/clock/ticker.ts'
import type { Dialler } from '../server/src/ports/line.ts'
import { openAmbience } from '../server/src/speech/ambience.ts'
import { modelsAtHand } from '../server/test/props/engines/models-at-hand.ts'
import { planFor, unmeasured } from './call-plan.ts'
import { percentile } from './rounds.ts'
import { printIfMain, type Row, verdict } from './row.ts'
import { levelDb } from './speech-bounds.ts'
import { atOnce, stubModel } from './stub-engines.ts'
import { tapped } from './tapped-line.ts'

const targetMs = 300
const audibleDb = -50
const rounds = 4
const callsAtOnce = 10
// The sandbox's ringing time; no callee answers sooner.
const ringMs = 300

interface Fixture {
  readonly ticker: Ticker
  readonly engines: EmbeddedEngines
  readonly carrier: Dialler
}

const given = 'Anna Ben Clara David Emma Felix Grace Henry Iris Jack Karen Leo Mary Noah Olga Paul'.split(' ')
const family =
  'Adler Baker Cooper Dunn Ellis Fisher Gray Hunt Irving Jones King Lane Miller Nash Owen Price'.split(' ')
let greeted = 0

/** None of its clauses is cached. */
function newGreeting(): string {
  const nth = greeted++
  const name = `${given[nth % given.length]} ${family[Math.floor(nth / given.length) % family.length]}`
  return `Hello ${name}, this is the front desk for ${name}. How can I help you, ${name}?`
}

const fixedGreeting = (): string => 'Hello, this is the front desk. How can I help you?'

/** Milliseconds from the answer to the first greeting audio. */
async function greet({ ticker, engines, carrier }: Fixture, text: string, ringMs: number): Promise<number> {
  const sessionId = randomUUID()
  const metadata = { sandbox: { ring_ms: ringMs, steps: [{ stay_silent_ms: 60_000 }] } }
  const plan = planFor(sessionId, { agent_welcome_message: text }, metadata)
  const { promise, resolve } = Promise.withResolvers<number>()
  let answeredMs = Number.NaN
  const session = startCall(plan, {
    ...unmeasured,
    connect: (listener) =>
      tapped(carrier, { sessionId, to: plan.to ?? '', from: null, trunkId: null, metadata }, listener, {
        onAnswered: (atMs) => {
          answeredMs = atMs
        },
        onSent: (atMs, samples) => {
          if (levelDb(samples) > audibleDb) resolve(atMs - answeredMs)
        },
      }),
    detector: engines.detector,
    transcriber: engines.transcriber,
    synthesizer: engines.synthesizer,
    voice: engines.voices.pick({}),
    model: stubModel('Yes.', atOnce, () => {}),
    onUpdate: () => {},
  })
  const ticks = ticker.add((dueMs) => session.tick(dueMs))
  const waitedMs = await promise
  session.stop('api')
  await session.done.finally(() => ticks.end())
  return waitedMs
}

/**
 * The time to the first frame of the synthesizer alone, with the same concurrency, for the first clause of a greeting.
 */
async function voiceAlone({ engines }: Fixture, text: string): Promise<number> {
  const piece = text.slice(0, text.indexOf(',') + 1)
  const fromMs = performance.now()
  const options = { voice: engines.voices.pick({}), rateHz: 8_000 } as const
  for await (const _ of engines.synthesizer.synthesize(piece, options, new AbortController().signal)) break
  return performance.now() - fromMs
}

type Workload = (ask: () => Promise<number>) => Promise<number[]>

const oneByOne: Workload = async (ask) => {
  const waits: number[] = []
  while (waits.length < callsAtOnce) waits.push(await ask())
  return waits
}

const together: Workload = (ask) => Promise.all(Array.from({ length: callsAtOnce }, ask))

async function measure(): Promise<Row[]> {
  const { folder, absent } = await modelsAtHand(
    process.env.PARLEY_MODELS_DIR,
    silero,
    moonshine,
    pronunciation,
  )
  if (absent) return []
  const ticker = openTicker()
  const engines = openEmbedded({
    models: { folder },
    threads: 1,
    tts: 'wren',
    log: { warn: console.warn },
  })
  await engines.warm()
  const { detector, transcriber, synthesizer } = engines
  const carrier = sandboxCarrier({
    ticker,
    detector,
    transcriber,
    synthesizer,
    voice: 'fenrir',
    noise: openAmbience,
  })
  const fixture = { ticker, engines, carrier }
  try {
    await greet(fixture, fixedGreeting(), 0)
    return [
      await row(fixture, 'a new one, one call after the other', newGreeting, ringMs, oneByOne),
      await row(fixture, `a new one, ${callsAtOnce} calls at once`, newGreeting, ringMs, together),
      await row(
        fixture,
        `a fixed one, ${callsAtOnce} calls at once, answered without ringing`,
        fixedGreeting,
        0,
        together,
      ),
    ]
  } finally {
    await ticker.close()
    await engines.close()
  }
}

async function row(
  fixture: Fixture,
  what: string,
  greeting: () => string,
  ringMs: number,
  run: Workload,
): Promise<Row> {
  const [waits, alone]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    waits.push(...(await run(() => greet(fixture, greeting(), ringMs))))
    alone.push(...(await run(() => voiceAlone(fixture, newGreeting()))))
  }
  return {
    claim: `answer to the first audio of a greeting: ${what}`,
    measured: `${show(waits)} of ${waits.length}`,
    yardstick: `the voice alone, to its first frame: ${show(alone)}`,
    ratio: '–',
    target: `p95 ≤ ${targetMs} ms`,
    verdict: verdict(percentile(waits, 0.95) <= targetMs),
  }
}

const show = (ms: readonly number[]) =>
  `p50 ${percentile(ms, 0.5).toFixed(0)} ms, p95 ${percentile(ms, 0.95).toFixed(0)} ms`

await printIfMain(import.meta.url, measure)
