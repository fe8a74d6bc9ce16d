// What thinking ahead (`optimize_latency`) costs in tokens and saves in time.
//
// Real speech over a telephone line with pauses of several lengths, the embedded detector and recognizer, real sessions, as in
// end-of-turn.ts. The model answers on the virtual clock: its first token takes as long as a claim says, then it writes 50 a second.
// Requests that are thrown away count with what they read and with what they had written by then, as a vendor charges for them.
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { startCall } from '../server/src/call/session.ts'
import { soundOnly } from '../server/src/carriers/over-sound-only.ts'
import { warmTranscriber } from '../server/src/engines/engines.ts'
import { moonshine, silero } from '../server/src/engines/models/catalogue.ts'
import { moonshineTranscriber } from '../server/src/engines/moonshine/moonshine.ts'
import { sileroDetector } from '../server/src/engines/silero/silero.ts'
import { frameMs } from '../server/src/media/frame.ts'
import type { LanguageModel, ModelRequest } from '../server/src/ports/language-model.ts'
import type { LineListener } from '../server/src/ports/line.ts'
import { framesOf, overTelephone } from '../server/test/props/engines/clips.ts'
import { modelsAtHand } from '../server/test/props/engines/models-at-hand.ts'
import { planFor, unmeasured } from './call-plan.ts'
import { readClips } from './clips.ts'
import { type DetectorEvent, hearVoice, retell } from './detector-trace.ts'
import { ReplayedRecognizer } from './replayed-recognizer.ts'
import { percentile } from './rounds.ts'
import { printIfMain, type Row } from './row.ts'
import { backgroundOf, softestMiddle, spokenPlace } from './speech-bounds.ts'
import { atOnce, stubVoice } from './stub-engines.ts'

const firstTokensMs = [300, 800]
const pausesMs = [0, 500, 1_000]
const rateHz = 8_000
const leadMs = 500
// Longer than any delay.
const tailMs = 5_000
const tokenMs = 20
const answer = 'Certainly, I have that here for you. It is on the second floor, next to the reading room. '
// The length of the instructions of a real agent, about 500 tokens.
const prompt = 'You are the desk of the city library. We are open from nine to five. '.repeat(29)

/** English has about four letters to a token. */
const tokensOf = (text: string): number => Math.ceil(text.length / 4)

interface Sound {
  readonly samples: Int16Array
  readonly endMs: number
  readonly told: readonly DetectorEvent[]
}

/** Answers on a clock that is moved by hand. */
class ClockedModel implements LanguageModel {
  readonly #firstTokenMs: number
  #nowMs = 0
  #due: { readonly atMs: number; readonly tell: () => void }[] = []
  requests = 0
  input = 0
  output = 0
  /** Tokens read and written for requests that were aborted; an answer that was complete by then is not among them. */
  thrownAway = 0

  constructor(firstTokenMs: number) {
    this.#firstTokenMs = firstTokenMs
  }

  moveTo(nowMs: number): void {
    this.#nowMs = nowMs
    for (const { atMs, tell } of this.#due) if (atMs <= nowMs) tell()
    this.#due = this.#due.filter(({ atMs }) => atMs > nowMs)
  }

  async *reply({ messages }: ModelRequest, signal: AbortSignal) {
    this.requests++
    let used = messages.reduce((sum, { content }) => sum + tokensOf(content), 0)
    let isDone = false
    this.input += used
    signal.addEventListener('abort', () => {
      if (!isDone) this.thrownAway += used
    })
    const firstMs = this.#nowMs + this.#firstTokenMs
    for (const [place, piece] of (answer.match(/.{1,4}/g) ?? []).entries()) {
      await this.#at(firstMs + place * tokenMs)
      if (signal.aborted) return
      this.output++
      used++
      yield { type: 'text' as const, text: piece }
    }
    isDone = true
  }

  #at(atMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#due.push({ atMs, tell: resolve })
    return promise
  }
}

interface TokenFigures {
  readonly requests: number
  readonly input: number
  readonly output: number
  readonly thrownAway: number
  /** The time from the caller's last sound to the agent's first; undefined: the agent cut in before. */
  readonly delayMs: number | undefined
}

async function hear(
  { samples, endMs, told }: Sound,
  optimize_latency: boolean,
  firstTokenMs: number,
  words: ReplayedRecognizer,
): Promise<TokenFigures> {
  const caller: { line?: LineListener } = {}
  const model = new ClockedModel(firstTokenMs)
  let [soundMs, nowMs] = [Number.NaN, 0]
  const agent = { agent_prompt: prompt, task_config: { optimize_latency } }
  const session = startCall(planFor('thinking-ahead', agent), {
    ...unmeasured,
    connect(listener) {
      caller.line = listener
      const send = (frame: { samples: Int16Array }) => {
        if (Number.isNaN(soundMs) && frame.samples.some((sample) => sample !== 0)) soundMs = nowMs
      }
      return { ...soundOnly, rateHz, callSid: 'bench', send, hangUp() {} }
    },
    detector: retell(told),
    transcriber: words.begin(),
    model,
    synthesizer: stubVoice(atOnce, () => {}),
    onUpdate() {},
  })
  session.tick(0)
  caller.line?.onEvent({ type: 'answered', codec: { name: 'L16', rateHz } })
  for (const frame of framesOf(samples, rateHz)) {
    nowMs += frameMs
    await words.moveTo(nowMs)
    model.moveTo(nowMs)
    await turnOfTheLoop()
    caller.line?.onFrame(frame)
    session.tick(nowMs)
  }
  session.stop('api')
  const { requests, input, output, thrownAway } = model
  return { requests, input, output, thrownAway, delayMs: soundMs < endMs ? undefined : soundMs - endMs }
}

function withPause(samples16k: Int16Array, pauseMs: number): Pick<Sound, 'samples' | 'endMs'> {
  const at = softestMiddle(samples16k, 16_000) * 16
  const pause = backgroundOf(samples16k, 16_000, pauseMs)
  const clip = Int16Array.from([...samples16k.subarray(0, at), ...pause, ...samples16k.subarray(at)])
  const padded = new Int16Array(clip.length + (leadMs + tailMs) * 16)
  padded.set(clip, leadMs * 16)
  return { samples: overTelephone(padded), endMs: leadMs + spokenPlace(clip, 16_000).toMs }
}

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
      sounds.push({ ...sound, told: await hearVoice(detector, sound.samples, rateHz) })
    }
  const rows: Row[] = []
  for (const firstTokenMs of firstTokensMs) {
    const [ahead, after]: [TokenFigures[], TokenFigures[]] = [[], []]
    for (const sound of sounds) {
      ahead.push(await hear(sound, true, firstTokenMs, words))
      after.push(await hear(sound, false, firstTokenMs, words))
    }
    rows.push(rowOf(firstTokenMs, ahead, after))
  }
  await engine.close()
  await detector.close()
  return rows
}

const mean = (all: readonly TokenFigures[], of: (one: TokenFigures) => number): number =>
  all.reduce((sum, one) => sum + of(one), 0) / all.length

const median = (all: readonly TokenFigures[]): number =>
  percentile(all.flatMap(({ delayMs }) => delayMs ?? []).filter(Number.isFinite), 0.5)

const rowOf = (firstTokenMs: number, ahead: readonly TokenFigures[], after: readonly TokenFigures[]): Row => {
  const tokens = (all: readonly TokenFigures[]) => mean(all, ({ input, output }) => input + output)
  return {
    claim: `thinking ahead, a model with its first token after ${firstTokenMs} ms, ${ahead.length} utterances`,
    measured: show(ahead),
    yardstick: `optimize_latency false: ${show(after)}`,
    ratio: `${(tokens(ahead) / tokens(after)).toFixed(2)} of the tokens, ${(tokens(ahead) - tokens(after)).toFixed(0)} thrown away for an utterance; ${(median(after) - median(ahead)).toFixed(0)} ms saved`,
    target: 'none',
    verdict: 'no target',
  }
}

function show(all: readonly TokenFigures[]): string {
  const delays = all.flatMap(({ delayMs }) => delayMs ?? []).filter(Number.isFinite)
  const p95 = percentile(delays, 0.95).toFixed(0)
  const [requests, input, output, thrownAway] = [
    mean(all, (one) => one.requests).toFixed(2),
    mean(all, (one) => one.input).toFixed(0),
    mean(all, (one) => one.output).toFixed(0),
    mean(all, (one) => one.thrownAway).toFixed(0),
  ]
  return `${requests} requests, ${input} tokens read and ${output} written for an utterance, ${thrownAway} of them for requests that were aborted; first sound p50 ${median(all).toFixed(0)} ms, p95 ${p95} ms`
}

await printIfMain(import.meta.url, measure)
