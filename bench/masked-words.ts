// How much of a recording the tone over a card number covers, with Moonshine's times of words.
//
// A caller says a card number in the middle of a sentence, over a telephone line; the voice says when each digit was
// spoken. The recognizer, the search for personal data and the masked recording are those of a call.

import type { CallParts } from '../server/src/call/call-parts.ts'
import { openMasking } from '../server/src/call/privacy/masking.ts'
import { Conversation } from '../server/src/call/think/conversation.ts'
import { moonshine, silero } from '../server/src/engines/models/catalogue.ts'
import { pronunciation } from '../server/src/engines/models/kokoro.ts'
import { moonshineTranscriber } from '../server/src/engines/moonshine/moonshine.ts'
import { sileroDetector } from '../server/src/engines/silero/silero.ts'
import { frameMs, makeFrame } from '../server/src/media/frame.ts'
import type { RecordingSink } from '../server/src/ports/recording.ts'
import { framesOf, overTelephone } from '../server/test/props/engines/clips.ts'
import { type Ears, finalText, listen } from '../server/test/props/engines/listen.ts'
import { modelsAtHand } from '../server/test/props/engines/models-at-hand.ts'
import { planFor } from './call-plan.ts'
import { printIfMain, type Row, verdict } from './row.ts'
import { openTimedVoice, type TimedSpeech } from './timed-speech.ts'

const rateHz = 8_000
const voices = ['heart', 'michael', 'fenrir'] as const
// These are not the sentences by which the slack around words was chosen.
const numbers = [
  'four nine two nine, one eight three five, zero six seven two, eight one four nine',
  'five one zero five, one zero five one, zero five one zero, five one zero zero',
  'three five three zero, one one one three, three three zero zero, zero zero zero',
  'six zero one one, nine eight seven six, five four three two, one zero nine eight',
]
const sentences = [
  (number: string) =>
    `Hello there, you can take it from my card, ${number}, thank you very much for your help.`,
  (number: string) => `The street is Oak Lane, and the card has the number ${number}, please send it soon.`,
]
const digits = new Set(['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'])
const quietMs = 500
// A digit that is audible for less than this cannot be understood.
const audibleMs = 60

interface SpokenDigits {
  readonly samples: Int16Array
  /** The digits, in the sound. */
  readonly fromMs: number
  readonly toMs: number
}

/** With silence before and after, over a telephone. */
function spoken({ samples, words }: TimedSpeech): SpokenDigits {
  const padded = new Int16Array(samples.length + 4 * quietMs * 16)
  padded.set(samples, quietMs * 16)
  const startMs = (place: number) => quietMs + 1_000 * (words[place]?.startSeconds ?? Number.NaN)
  const first = words.findIndex(({ word }) => digits.has(word))
  const next = words.findLastIndex(({ word }) => digits.has(word)) + 1
  return { samples: overTelephone(padded), fromMs: startMs(first), toMs: loudUntil(padded, startMs(next)) }
}

/** The moment at which a voice falls silent before `ms`. */
function loudUntil(samples16k: Int16Array, ms: number): number {
  const isQuiet = (atMs: number) =>
    samples16k.subarray((atMs - 10) * 16, atMs * 16).every((sample) => Math.abs(sample) < 500)
  let atMs = ms
  while (atMs > 0 && isQuiet(atMs)) atMs -= 10
  return atMs
}

interface CoverFigures {
  /** Digits that stay audible. */
  readonly heardMs: number
  /** Everything else that is covered. */
  readonly lostMs: number
  readonly isFound: boolean
}

async function recorded(ears: Ears, said: SpokenDigits, wordTimes: boolean): Promise<CoverFigures> {
  const frames = [...framesOf(said.samples, rateHz)].map((frame) => ({
    ...frame,
    samples: frame.samples.slice(),
  }))
  const covered: boolean[] = []
  const sink: RecordingSink = {
    write: ({ samples }) =>
      covered.push(samples.some((one, at) => one !== frames[covered.length]?.samples[at])),
    close: async () => {},
    flushed: async () => {},
    discard: async () => {},
  }
  const plan = planFor('masked-words', { api_tools: { guard_rails: { mask: ['card_number'] } } })
  const parts = { recording: () => sink, onUpdate() {} } as unknown as CallParts
  const { recording, onUpdate } = openMasking(plan)?.partsOf(parts) ?? parts
  const kept = recording?.(rateHz)
  for (const frame of frames) kept?.write(frame, makeFrame(rateHz))
  const conversation = new Conversation((entry) => onUpdate({ type: 'transcript', entry }))
  conversation.begin(0)
  const events = await listen(ears, said.samples, rateHz, { language: 'en', wordTimes })
  for (const event of events) if (event.type === 'final') conversation.heardWords.add(event.words ?? [])
  conversation.callerSaid(finalText(events), {
    startMs: quietMs,
    endMs: frames.length * frameMs - 3 * quietMs,
  })
  await kept?.close()
  const isDigits = (_: unknown, place: number) =>
    place * frameMs >= said.fromMs && (place + 1) * frameMs <= said.toMs
  const theirs = covered.filter(isDigits)
  const hidden = theirs.filter(Boolean).length
  if (process.argv.includes('--show'))
    console.error(finalText(events), theirs.map((isHidden) => (isHidden ? '#' : '.')).join(''))
  return {
    heardMs: (theirs.length - hidden) * frameMs,
    lostMs: (covered.filter(Boolean).length - hidden) * frameMs,
    isFound: hidden > 0,
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
  const voice = await openTimedVoice({ folder })
  const all: SpokenDigits[] = []
  for (const [place, number] of numbers.entries())
    for (const name of voices) {
      const sentence = sentences[place % sentences.length] ?? String
      all.push(spoken(await voice.say(sentence(number), name)))
    }
  await voice.close()
  const detector = sileroDetector({ folder })
  const transcriber = moonshineTranscriber({ folder, threads: 1 })
  const [timed, whole]: [CoverFigures[], CoverFigures[]] = [[], []]
  for (const said of all) {
    timed.push(await recorded({ transcriber, detector }, said, true))
    whole.push(await recorded({ transcriber, detector }, said, false))
  }
  await transcriber.close()
  await detector.close()
  return [rowOf(timed, whole)]
}

const show = (all: readonly CoverFigures[]): string => {
  const found = all.filter(({ isFound }) => isFound)
  const lostMs = found.reduce((sum, one) => sum + one.lostMs, 0) / found.length
  const heardMs = Math.max(...found.map((one) => one.heardMs))
  return `at most ${heardMs} ms of a number are heard, and ${(lostMs / 1_000).toFixed(1)} s beside it are lost in the mean`
}

const rowOf = (timed: readonly CoverFigures[], whole: readonly CoverFigures[]): Row => {
  const found = timed.filter(({ isFound }) => isFound)
  return {
    claim: `a card number in a sentence, ${found.length} of ${timed.length} recognised as one`,
    measured: show(timed),
    yardstick: `without times of words: ${show(whole)}`,
    ratio: '–',
    target: `less than ${audibleMs} ms are heard`,
    verdict: verdict(found.length > 0 && found.every(({ heardMs }) => heardMs < audibleMs)),
  }
}

await printIfMain(import.meta.url, measure)
