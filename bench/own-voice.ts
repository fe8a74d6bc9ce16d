// What the default voice costs, beside Kokoro and flite in the same run: share of real time on one thread, time to the
// first sound, how many agents speak at once on one core with every frame on time, and memory.
//
// The targets come from the training machine, an Intel Xeon with AVX-512, where whole sentences took 0.024 of real time.
// What is possible here is measured beside them: the bare networks, called for whole sentences.
import { setTimeout as sleep } from 'node:timers/promises'
import { kokoroSynthesizer } from '../server/src/engines/kokoro/kokoro.ts'
import { fetchModel } from '../server/src/engines/models/fetch-model.ts'
import { pronunciation } from '../server/src/engines/models/kokoro.ts'
import { kokoro } from '../server/src/engines/models/sets.ts'
import { loadEnglish } from '../server/src/engines/pronunciation/pronounce.ts'
import { wrenSynthesizer } from '../server/src/engines/wren/wren.ts'
import { loadWren } from '../server/src/engines/wren/wren-model.ts'
import { frameMs } from '../server/src/media/frame.ts'
import type { TextSynthesizer } from '../server/src/ports/synthesizer.ts'
import { modelsAtHand, modelsIfPresent } from '../server/test/props/engines/models-at-hand.ts'
import { type Flite, findFlite } from './flite-voice.ts'
import { median, percentile, spread } from './rounds.ts'
import { printIfMain, type Row, verdict } from './row.ts'

// Ten words each.
const sentences = [
  'Your appointment with the dentist is on Tuesday at ten.',
  'I have found two flights that leave before noon tomorrow.',
  'Could you please give me the number on your invoice?',
  'Thank you for waiting, the manager will be here soon.',
  'We are open from Monday to Friday until six thirty.',
] as const
const rounds = 6
const rateHz = 8_000
const firstSoundTargetMs = 60
// Agents that are tried at once, until a frame is late or somebody waits too long for the first.
const crowds = [8, 16, 20, 24, 28, 32, 36, 40, 44, 48]
const latestFirstMs = 2_000
// A pause of the machine makes a frame late, so a crowd is tried again. A crowd that is too large fails every time.
const triesPerCrowd = 3
// Sound that nobody has heard yet is discarded when the agent is interrupted, so nobody asks for more of it in
// advance.
const aheadMs = 3_000
// A late frame is one that is missing when it is due; a line plays it after this delay at the latest.
const lateMs = 20
const never = new AbortController().signal

interface SpeechFigures {
  readonly firstMs: number
  readonly share: number
}

async function speak(voice: TextSynthesizer, name: string, text: string): Promise<SpeechFigures> {
  const begunMs = performance.now()
  let firstMs = 0
  let soundMs = 0
  for await (const _ of voice.synthesize(text, { voice: name, rateHz }, never)) {
    firstMs ||= performance.now() - begunMs
    soundMs += frameMs
  }
  return { firstMs, share: (performance.now() - begunMs) / soundMs }
}

async function speakAll(voice: TextSynthesizer, name: string, times: number): Promise<SpeechFigures[]> {
  await speak(voice, name, 'Hello.')
  const spoken: SpeechFigures[] = []
  for (let round = 0; round < times; round++)
    for (const text of sentences) spoken.push(await speak(voice, name, text))
  return spoken
}

interface Listener {
  readonly firstMs: number
  readonly lateFrames: number
  readonly frames: number
}

interface Together {
  readonly claim: string
  /** The agents begin one after the other within this time. */
  readonly beginWithinMs: number
  readonly sentencesEach: number
  readonly target: number | undefined
}

// As agents of calls do, who know nothing of each other: from the fifth second on all of them speak.
const asCallsCome: Together = {
  claim: 'agents that speak at once on one thread, 20 s each, begun within 5 s',
  beginWithinMs: 5_000,
  sentencesEach: 6,
  target: 40,
}
// Agents at the worst moment: all of them wait for the first sound at once.
const inTheSameMoment: Together = {
  claim: 'agents that begin to speak in the same moment on one thread, 10 s each',
  beginWithinMs: 0,
  sentencesEach: 3,
  target: undefined,
}

/** Listens: from the first frame on, each frame is due 20 ms after the one before. */
async function listenTo(
  voice: TextSynthesizer,
  name: string,
  agent: number,
  sentencesEach: number,
): Promise<Listener> {
  const text = Array.from(
    { length: sentencesEach },
    // No two agents say the same, or a cache would be measured.
    (_, place) => `${sentences[(agent + place) % sentences.length]?.slice(0, -1)}, ${agent + 1}.`,
  ).join(' ')
  const begunMs = performance.now()
  let [firstAtMs, frames, lateFrames] = [0, 0, 0]
  for await (const _ of voice.synthesize(text, { voice: name, rateHz }, never)) {
    const nowMs = performance.now()
    firstAtMs ||= nowMs
    const dueInMs = firstAtMs + frames * frameMs - nowMs
    if (dueInMs < -lateMs) lateFrames++
    frames++
    if (dueInMs > aheadMs) await sleep(dueInMs - aheadMs)
  }
  return { firstMs: firstAtMs - begunMs, lateFrames, frames }
}

interface Crowd {
  readonly agents: number
  readonly listeners: readonly Listener[]
  /** How often it was tried until nobody waited. */
  readonly tries: number
}

/** The largest crowd in which everybody begins soon and no frame is late. */
async function largestCrowd(
  voice: TextSynthesizer,
  name: string,
  together: Together,
): Promise<Crowd | undefined> {
  let largest: Crowd | undefined
  for (const agents of crowds) {
    const served = await servedCrowd(voice, name, agents, together)
    if (!served) break
    largest = served
  }
  return largest
}

async function servedCrowd(
  voice: TextSynthesizer,
  name: string,
  agents: number,
  { beginWithinMs, sentencesEach }: Together,
): Promise<Crowd | undefined> {
  for (let tries = 1; tries <= triesPerCrowd; tries++) {
    const listeners = await Promise.all(
      Array.from({ length: agents }, async (_, agent) => {
        await sleep((agent / agents) * beginWithinMs)
        return listenTo(voice, name, agent, sentencesEach)
      }),
    )
    if (listeners.every(({ firstMs, lateFrames }) => lateFrames === 0 && firstMs <= latestFirstMs))
      return { agents, listeners, tries }
  }
  return undefined
}

/** Each sentence's share of real time: wren's networks called directly, with no piece, queue or thread between. */
async function bareShares(folder: string): Promise<number[]> {
  const pronounce = await loadEnglish(await fetchModel(pronunciation, { folder }))
  const wren = await loadWren()
  const shares: number[] = []
  // The first round warms up.
  for (let round = 0; round <= rounds; round++)
    for (const text of sentences) {
      const begunMs = performance.now()
      const utterance = await wren.prepare(pronounce(text), 'heart', 'falls')
      if (!utterance) continue
      const audio = await (await wren.begin(utterance, rateHz)).next(utterance.frames)
      const soundMs = (1_000 * audio.length) / rateHz
      if (round > 0) shares.push((performance.now() - begunMs) / soundMs)
    }
  await wren.release()
  return shares
}

/** flite is so fast that the start of its process is most of it. */
async function fliteShares(flite: Flite): Promise<number[]> {
  const shares: number[] = []
  for (const text of sentences) {
    const begunMs = performance.now()
    const samples = await flite(text, 'slt')
    shares.push((performance.now() - begunMs) / (samples.length / 16))
  }
  return shares
}

const rssMb = () => process.memoryUsage().rss / 1e6
const ms = (value: number) => `${value.toFixed(0)} ms`
const share = (value: number) => value.toFixed(3)

async function measure(): Promise<Row[]> {
  const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, pronunciation)
  if (absent) return []
  const beforeMb = rssMb()
  const wren = wrenSynthesizer({ folder, threads: 1 })
  const ours = await speakAll(wren, 'heart', rounds)
  const wrenMb = rssMb() - beforeMb
  const coming = await largestCrowd(wren, 'heart', asCallsCome)
  const atOnce = await largestCrowd(wren, 'heart', inTheSameMoment)
  await wren.close()
  const bare = await bareShares(folder)
  const flite = await findFlite()
  const others = { kokoro: await kokoroBeside(), flite: flite && (await fliteShares(flite)) }
  return [
    ...speedRows(ours, others),
    boundRow(ours, bare),
    crowdRow(asCallsCome, coming, median(bare)),
    crowdRow(inTheSameMoment, atOnce, median(bare)),
    memoryRow(wrenMb, others.kokoro?.megabytes),
  ]
}

async function kokoroBeside(): Promise<{ spoken: SpeechFigures[]; megabytes: number } | undefined> {
  const { folder, absent } = await modelsIfPresent(process.env.PARLEY_MODELS_DIR, ...kokoro)
  if (absent) return undefined
  const beforeMb = rssMb()
  const teacher = kokoroSynthesizer({ folder, threads: 1 })
  const spoken = await speakAll(teacher, 'af_heart', 1)
  const megabytes = rssMb() - beforeMb
  await teacher.close()
  return { spoken, megabytes }
}

interface Others {
  readonly kokoro: { readonly spoken: readonly SpeechFigures[] } | undefined
  readonly flite: readonly number[] | undefined
}

function speedRows(ours: readonly SpeechFigures[], { kokoro, flite }: Others): Row[] {
  const row = (claim: string, of: (spoken: SpeechFigures) => number, show: (value: number) => string) => ({
    claim,
    measured: spread(ours.map(of), show),
    yardstick: kokoro ? `Kokoro ${spread(kokoro.spoken.map(of), show)}` : 'Kokoro is not fetched',
    ratio: kokoro ? (median(ours.map(of)) / median(kokoro.spoken.map(of))).toFixed(3) : '–',
  })
  const first = row('text to the first sound, ten words', ({ firstMs }) => firstMs, ms)
  const whole = row('the default voice on one thread, of real time', ({ share }) => share, share)
  return [
    {
      ...whole,
      yardstick: `${whole.yardstick}; ${flite ? `flite with its process ${spread(flite, share)}` : 'flite is not installed'}`,
      target: 'none',
      verdict: 'no target',
    },
    {
      ...first,
      target: `≤ ${firstSoundTargetMs} ms`,
      verdict: verdict(median(ours.map(({ firstMs }) => firstMs)) <= firstSoundTargetMs),
    },
  ]
}

const boundRow = (ours: readonly SpeechFigures[], bare: readonly number[]): Row => ({
  claim: 'the same, beside the bare networks',
  measured: spread(
    ours.map(({ share }) => share),
    share,
  ),
  yardstick: `whole sentences at once ${spread(bare, share)}`,
  ratio: (median(ours.map(({ share }) => share)) / median(bare)).toFixed(2),
  target: 'none',
  verdict: 'no target',
})

function crowdRow({ claim, target }: Together, crowd: Crowd | undefined, bareShare: number): Row {
  const firsts = crowd?.listeners.map(({ firstMs }) => firstMs) ?? []
  const frames = crowd?.listeners.reduce((sum, listener) => sum + listener.frames, 0) ?? 0
  const agents = crowd?.agents ?? 0
  const possible = 1 / bareShare
  return {
    claim: `${claim}, no frame late, the first within ${latestFirstMs / 1_000} s`,
    measured: crowd
      ? `${agents}, ${frames} frames; first sound after ${ms(median(firsts))}, p95 ${ms(percentile(firsts, 0.95))}${crowd.tries > 1 ? `, try ${crowd.tries} of ${triesPerCrowd}` : ''}`
      : `fewer than ${crowds[0]}`,
    yardstick: `the bare networks keep up with ${possible.toFixed(0)} for any length of time`,
    ratio: (agents / possible).toFixed(2),
    target:
      target === undefined
        ? 'none'
        : `${target}, on a processor on which the bare networks keep up with them`,
    verdict: target === undefined ? 'no target' : verdict(agents >= target),
  }
}

const memoryRow = (wrenMb: number, kokoroMb: number | undefined): Row => ({
  claim: 'memory of the voice with its dictionary, resident',
  measured: `${wrenMb.toFixed(0)} MB`,
  yardstick: kokoroMb === undefined ? 'Kokoro is not fetched' : `Kokoro ${kokoroMb.toFixed(0)} MB`,
  ratio: kokoroMb === undefined ? '–' : (wrenMb / kokoroMb).toFixed(2),
  target: 'none',
  verdict: 'no target',
})

await printIfMain(import.meta.url, measure)
