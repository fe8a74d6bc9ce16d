// Error of word start times, in speech with known times.
import { moonshine, silero, whisperBase } from '../server/src/engines/models/catalogue.ts'
import { pronunciation } from '../server/src/engines/models/kokoro.ts'
import { openWhisper, type Whisper } from '../server/src/engines/whisper/whisper.ts'
import { percentile } from './rounds.ts'
import { printIfMain, type Row, verdict } from './row.ts'
import { openTimedVoice, type TimedSpeech } from './timed-speech.ts'
import { openTranscriptionFixture, type TranscriptionFixture } from './transcription-fixture.ts'

const voices = ['heart', 'michael', 'fenrir'] as const
// These are not the sentences on which the heads were chosen.
const texts = [
  'The young man walked across the bridge, and then he turned to look at the river below.',
  'If the train is late again, we will miss the meeting, so let us leave the house before seven.',
  'My brother bought a small farm last year. He keeps sheep there, and a horse, and three old dogs.',
  'Nobody knows why the lights went out, but the whole street was dark until the next morning.',
]
const targetMs = 100

interface WordOffsets {
  readonly offMs: readonly number[]
  readonly words: number
}

interface HeardWord {
  readonly word: string
  readonly startMs: number
}

function offsets(speech: TimedSpeech, heard: readonly HeardWord[]): WordOffsets {
  const offMs: number[] = []
  let from = 0
  for (const { word, startSeconds } of speech.words) {
    // A misheard word is skipped; the next one is looked for nearby.
    const near = heard.slice(from, from + 4)
    const found = near.findIndex((other) => plain(other.word) === word)
    if (found < 0) continue
    offMs.push((near[found]?.startMs ?? 0) - startSeconds * 1000)
    from += found + 1
  }
  return { offMs, words: speech.words.length }
}

const plain = (word: string) => word.toLowerCase().replace(/[^a-z']/g, '')

async function byService(fixture: TranscriptionFixture, { samples }: TimedSpeech): Promise<HeardWord[]> {
  const { segments } = await fixture.transcribe(samples, { align: true })
  return segments
    .flatMap(({ words }) => words)
    .map(({ word, startSeconds }) => ({ word, startMs: startSeconds * 1000 }))
}

/** For the other languages; there is no speech with known times for those. */
async function byWhisper(whisper: Whisper, { samples }: TimedSpeech): Promise<HeardWord[]> {
  const words = await whisper.recognise(samples, 'en', new AbortController().signal)
  return words.map(({ text, fromMs }) => ({ word: text, startMs: fromMs }))
}

async function measure(): Promise<Row[]> {
  const fixture = await openTranscriptionFixture([silero, moonshine, pronunciation, whisperBase])
  if (!fixture) return []
  const { folder } = fixture
  const whisper = openWhisper({ folder, size: 'base', threads: 1 })
  const voice = await openTimedVoice({ folder })
  const [ours, whispers]: [WordOffsets[], WordOffsets[]] = [[], []]
  for (const text of texts)
    for (const name of voices) {
      const speech = await voice.say(text, name)
      ours.push(offsets(speech, await byService(fixture, speech)))
      whispers.push(offsets(speech, await byWhisper(whisper, speech)))
    }
  await voice.close()
  await whisper.close()
  await fixture.close()
  return [alignmentRow('the service, English (Moonshine)', ours), alignmentRow('whisper base', whispers)]
}

function alignmentRow(what: string, matched: readonly WordOffsets[]): Row {
  const offMs = matched.flatMap((one) => one.offMs)
  const sizes = offMs.map(Math.abs)
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const words = matched.reduce((sum, one) => sum + one.words, 0)
  return {
    claim: `start of a word, ${what}: ${offMs.length} of ${words} words found again`,
    measured: `${mean(sizes).toFixed(0)} ms off in the mean; p50 ${percentile(sizes, 0.5).toFixed(0)}, p95 ${percentile(sizes, 0.95).toFixed(0)} ms; ${mean(offMs) < 0 ? 'early' : 'late'} by ${Math.abs(mean(offMs)).toFixed(0)}`,
    yardstick: 'the times at which wren made the sounds',
    ratio: '–',
    target: `≤ ${targetMs} ms`,
    verdict: verdict(mean(sizes) <= targetMs),
  }
}

await printIfMain(import.meta.url, measure)
