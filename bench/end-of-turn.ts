// How soon a caller who has finished is answered, and how often one who only pauses is cut off: a curve over
// `endpointing`.
//
// Real speech over a telephone line, the embedded detector and recognizer, real sessions. The clock is virtual and
// runs faster than the audio; transcripts still arrive as late as their recognition took. A turn given to the agent
// before the last sound is a cut-off; the delay is from the last sound, found by its level, to the decision.
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { startCall } from '../server/src/call/session.ts'
import { soundOnly } from '../server/src/carriers/over-sound-only.ts'
import { warmTranscriber } from '../server/src/engines/engines.ts'
import { moonshine, silero } from '../server/src/engines/models/catalogue.ts'
import { moonshineTranscriber } from '../server/src/engines/moonshine/moonshine.ts'
import { sileroDetector } from '../server/src/engines/silero/silero.ts'
import { frameMs } from '../server/src/media/frame.ts'
import type { LineListener } from '../server/src/ports/line.ts'
import { framesOf, overTelephone } from '../server/test/props/engines/clips.ts'
import { modelsAtHand } from '../server/test/props/engines/models-at-hand.ts'
import { planFor, unmeasured } from './call-plan.ts'
import { readClips } from './clips.ts'
import { type DetectorEvent, hearVoice, retell, silencesOf } from './detector-trace.ts'
import { ReplayedRecognizer } from './replayed-recognizer.ts'
import { percentile } from './rounds.ts'
import { printIfMain, type Row } from './row.ts'
import { backgroundOf, softestMiddle, spokenPlace } from './speech-bounds.ts'
import { atOnce, stubModel, stubVoice } from './stub-engines.ts'

const endpointings = [200, 300, 500, 700, 1_000]
const pausesMs = [0, 300, 500, 700, 1_000, 1_500]
const rateHz = 8_000
const leadMs = 500
// Longer than any delay.
const tailMs = 4_000

interface Sound {
  readonly pauseMs: number
  readonly samples: Int16Array
  readonly endMs: number
  readonly told: readonly DetectorEvent[]
}

interface FaultReport {
  readonly pauseMs: number
  /** The delay; undefined: the caller was cut off. */
  readonly delayMs: number | undefined
}

/** Silence, the clip with a pause of its own background in the middle, silence; over a telephone line. */
function withPause(samples16k: Int16Array, pauseMs: number): Pick<Sound, 'samples' | 'endMs'> {
  const at = softestMiddle(samples16k, 16_000) * 16
  const pause = backgroundOf(samples16k, 16_000, pauseMs)
  const clip = Int16Array.from([...samples16k.subarray(0, at), ...pause, ...samples16k.subarray(at)])
  const padded = new Int16Array(clip.length + (leadMs + tailMs) * 16)
  padded.set(clip, leadMs * 16)
  return { samples: overTelephone(padded), endMs: leadMs + spokenPlace(clip, 16_000).toMs }
}

/** The moment of the first decision, in ms of audio. */
async function decidedMs(
  { samples, told }: Sound,
  endpointing: number,
  words: ReplayedRecognizer,
): Promise<number> {
  const caller: { line?: LineListener } = {}
  let [decided, nowMs] = [Number.NaN, 0]
  const session = startCall(planFor('end-of-turn', { transcriber: { endpointing } }), {
    ...unmeasured,
    connect(listener) {
      caller.line = listener
      return { ...soundOnly, rateHz, callSid: 'bench', send() {}, hangUp() {} }
    },
    detector: retell(told),
    transcriber: words.begin(),
    model: stubModel('Yes.', atOnce, () => {}),
    synthesizer: stubVoice(atOnce, () => {}),
    onUpdate: (update) => {
      if (update.type === 'transcript' && update.entry.role === 'user' && Number.isNaN(decided))
        decided = nowMs
    },
  })
  session.tick(0)
  caller.line?.onEvent({ type: 'answered', codec: { name: 'L16', rateHz } })
  for (const frame of framesOf(samples, rateHz)) {
    nowMs += frameMs
    await words.moveTo(nowMs)
    await turnOfTheLoop()
    caller.line?.onFrame(frame)
    session.tick(nowMs)
    if (!Number.isNaN(decided)) break
  }
  session.stop('api')
  return decided
}

async function outcomes(
  sounds: readonly Sound[],
  endpointing: number,
  words: ReplayedRecognizer,
): Promise<FaultReport[]> {
  const found: FaultReport[] = []
  for (const sound of sounds) found.push(outcomeOf(sound, await decidedMs(sound, endpointing, words)))
  return found
}

const outcomeOf = ({ pauseMs, endMs }: Sound, atMs: number): FaultReport => ({
  pauseMs,
  delayMs: atMs < endMs ? undefined : atMs - endMs,
})

const bySilence = (sound: Sound, endpointing: number): FaultReport =>
  outcomeOf(sound, silencesOf(sound.told, endpointing)[0] ?? Number.NaN)

async function measure(): Promise<Row[]> {
  const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero, moonshine)
  const clips = readClips().filter(({ said }) => said !== '')
  if (absent || clips.length === 0) return []
  const detector = sileroDetector({ folder })
  const engine = moonshineTranscriber({ folder, threads: 1 })
  await warmTranscriber(engine)
  const words = new ReplayedRecognizer(engine)
  const sounds: Sound[] = []
  for (const { samples } of clips)
    for (const pauseMs of pausesMs) {
      const sound = withPause(samples, pauseMs)
      sounds.push({ ...sound, pauseMs, told: await hearVoice(detector, sound.samples, rateHz) })
    }
  const rows: Row[] = []
  for (const endpointing of endpointings) {
    const ours = await outcomes(sounds, endpointing, words)
    rows.push(
      curveRow(
        endpointing,
        ours,
        sounds.map((sound) => bySilence(sound, endpointing)),
        words,
      ),
    )
  }
  await engine.close()
  await detector.close()
  return rows
}

const curveRow = (
  endpointing: number,
  ours: readonly FaultReport[],
  bare: readonly FaultReport[],
  { tookMs }: ReplayedRecognizer,
): Row => ({
  claim: `end of turn, endpointing ${endpointing} ms; words are ${percentile(tookMs, 0.5).toFixed(0)} ms late in the median`,
  measured: show(ours),
  yardstick: `silence alone: ${show(bare)}`,
  ratio: '–',
  target: 'none',
  verdict: 'no target',
})

function show(outcomes: readonly FaultReport[]): string {
  const cut = pausesMs.map((pauseMs) => {
    const these = outcomes.filter((outcome) => outcome.pauseMs === pauseMs)
    const count = these.filter(({ delayMs }) => delayMs === undefined).length
    return `${pauseMs === 0 ? 'whole' : `${pauseMs / 1_000} s`} ${count}/${these.length}`
  })
  const delays = outcomes.flatMap(({ delayMs }) => delayMs ?? [])
  const missed = delays.filter(Number.isNaN).length
  const [p50, p95] = [0.5, 0.95].map((share) => percentile(delays.filter(Number.isFinite), share).toFixed(0))
  return `cut off: ${cut.join(', ')}; delay p50 ${p50} ms, p95 ${p95} ms${missed ? `; ${missed} never answered` : ''}`
}

await printIfMain(import.meta.url, measure)
