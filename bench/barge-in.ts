// Claim: from the caller's first sound to the agent's silence at most 300 ms, in 95 of 100 interruptions.
//
// Real speech over a telephone line, the embedded voice detector, the real clock. The agent's voice has no silent
// sample, so any silence on the line is the session's. The caller's first sound is found by the level of the clip, not
// by a detector.
import { setTimeout as sleep } from 'node:timers/promises'
import { startCall } from '../server/src/call/session.ts'
import { warmDetector } from '../server/src/engines/engines.ts'
import { silero } from '../server/src/engines/models/catalogue.ts'
import { pronunciation } from '../server/src/engines/models/kokoro.ts'
import { sileroDetector } from '../server/src/engines/silero/silero.ts'
import { wrenSynthesizer } from '../server/src/engines/wren/wren.ts'
import { type Frame, frameMs } from '../server/src/media/frame.ts'
import { openTicker, type Ticker } from '../server/src/platform/clock/ticker.ts'
import { overClauses } from '../server/src/ports/clause-stream.ts'
import type { Synthesizer, TextSynthesizer } from '../server/src/ports/synthesizer.ts'
import type { VoiceDetector } from '../server/src/ports/voice-detector.ts'
import { type Clip, overTelephone } from '../server/test/props/engines/clips.ts'
import { modelsAtHand } from '../server/test/props/engines/models-at-hand.ts'
import { said } from '../server/test/props/engines/said.ts'
import { planFor, unmeasured } from './call-plan.ts'
import { ClipLine, type TimedClip } from './clip-line.ts'
import { readClips } from './clips.ts'
import { percentile } from './rounds.ts'
import { printIfMain, type Row, verdict } from './row.ts'
import { spokenPlace } from './speech-bounds.ts'
import { atOnce, stubModel, stubTranscriber } from './stub-engines.ts'

const targetMs = 300
const rounds = 4
// The offset of the caller's first sound in the agent's speech: any offset within a frame and the detector's windows.
const beginsMs = { least: 1_000, most: 2_000 }
// Longer than the agent pauses to find out what the voice was.
const silentMs = 500
const pauseMs = 100
const speechMs = 40_000

interface Fixture {
  readonly ticker: Ticker
  readonly detector: VoiceDetector
  readonly synthesizer: Synthesizer
}

/** Plays a clip to the agent, and returns what the agent sent meanwhile. */
async function overhear({ ticker, detector, synthesizer }: Fixture, playing: TimedClip): Promise<ClipLine> {
  const held = Promise.withResolvers<ClipLine>()
  const session = startCall(planFor('barge-in', { agent_welcome_message: 'A long speech.' }), {
    ...unmeasured,
    connect(listener) {
      const line = new ClipLine(ticker, listener, playing)
      held.resolve(line)
      return line
    },
    detector,
    synthesizer,
    transcriber: stubTranscriber(''),
    model: stubModel('Yes.', atOnce, () => {}),
    onUpdate: () => {},
  })
  const ticks = ticker.add((dueMs) => session.tick(dueMs))
  await sleep(playing.afterMs + playing.clip.length / 8 + 2 * silentMs)
  session.stop('api')
  await session.done.finally(() => ticks.end())
  return held.promise
}

/** The milliseconds until the agent was silent. NaN: it never stopped. Negative: it paused before the first word. */
async function interrupt(fixture: Fixture, samples16k: Int16Array): Promise<number> {
  const clip = overTelephone(samples16k)
  const { least, most } = beginsMs
  const line = await overhear(fixture, { clip, afterMs: Math.round(least + Math.random() * (most - least)) })
  const beganMs = line.spokenAtMs(spokenPlace(clip, 8_000).fromMs)
  const silence = silencesOf(line).find(({ fromMs, ms }) => fromMs + ms > beganMs && ms >= silentMs)
  return (silence?.fromMs ?? Number.NaN) - beganMs
}

/** The silences within the agent's speech, and after it. */
function silencesOf({ sent }: ClipLine): { fromMs: number; ms: number }[] {
  const silences: { fromMs: number; ms: number }[] = []
  const first = sent.findIndex(({ sounds }) => sounds)
  sent.forEach(({ atMs, sounds }, place) => {
    if (sounds || place < first) return
    const last = silences.at(-1)
    if (last && !sent[place - 1]?.sounds) last.ms += frameMs
    else silences.push({ fromMs: atMs, ms: frameMs })
  })
  return silences
}

async function falsePauses(fixture: Fixture, noises: readonly Clip[]): Promise<number> {
  const lines = await Promise.all(
    noises.map(({ samples }) => overhear(fixture, { clip: overTelephone(samples), afterMs: beginsMs.least })),
  )
  const pauses = lines.flatMap(silencesOf).filter(({ ms }) => ms >= pauseMs)
  return pauses.length
}

/** The same real speech over and over, without a silent sample. */
async function endless(folder: string): Promise<Synthesizer> {
  const voice = wrenSynthesizer({ folder })
  const text =
    'Our opening hours are nine to five on weekdays and ten to two on Saturdays and we are closed on Sundays'
  const frames = await said(voice, text, { voice: 'heart', rateHz: 8_000 })
  await voice.close()
  for (const { samples } of frames) for (let i = 0; i < samples.length; i++) samples[i] ||= 1
  const speech: TextSynthesizer = {
    async *synthesize() {
      for (let n = 0; n * frameMs < speechMs; n++) yield frames[n % frames.length] as Frame
    },
  }
  return overClauses(speech, 'any')
}

async function measure(): Promise<Row[]> {
  const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero, pronunciation)
  const clips = readClips()
  const spoken = clips.filter((clip) => clip.said !== '')
  if (absent || spoken.length === 0) return []
  const detector = sileroDetector({ folder })
  const fixture = { ticker: openTicker(), detector, synthesizer: await endless(folder) }
  await warmDetector(detector)
  const waits: number[] = []
  for (let round = 0; round < rounds; round++)
    waits.push(...(await Promise.all(spoken.map(({ samples }) => interrupt(fixture, samples)))))
  const noises = clips.filter((clip) => clip.said === '')
  const pauses = await falsePauses(fixture, noises)
  await fixture.ticker.close()
  await detector.close()
  return [bargeInRow(waits), noiseRow(pauses, noises)]
}

function bargeInRow(waits: readonly number[]): Row {
  const heard = waits.filter((ms) => !Number.isNaN(ms))
  const missed = waits.length - heard.length
  // Interruptions that went unnoticed count as the slowest.
  const all = waits.map((ms) => (Number.isNaN(ms) ? Number.POSITIVE_INFINITY : ms))
  const [p50, p95] = [percentile(all, 0.5), percentile(all, 0.95)]
  return {
    claim: `barge-in: the caller's first sound to the agent's silence, ${waits.length} interruptions, ${waits.length / rounds} at a time`,
    measured: `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, most ${Math.max(...heard).toFixed(0)} ms; ${missed} not noticed`,
    yardstick: `what the detector must have heard to be sure: ${2 * 32} ms`,
    ratio: (p50 / 64).toFixed(1),
    target: `p95 ≤ ${targetMs} ms`,
    verdict: verdict(p95 <= targetMs),
  }
}

const noiseRow = (pauses: number, noises: readonly Clip[]): Row => ({
  claim: 'an agent that speaks into noise without a voice pauses for nothing',
  measured: `${pauses} pauses in ${(noises.reduce((sum, { samples }) => sum + samples.length, 0) / 16_000).toFixed(0)} s of noise`,
  yardstick: 'none',
  ratio: '–',
  target: 'none',
  verdict: 'no target',
})

await printIfMain(import.meta.url, measure)
