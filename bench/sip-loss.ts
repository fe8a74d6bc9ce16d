// Measures how well speech is understood over a bad telephone line: 20 % loss, 100 ms of jitter, reordering and
// duplicates.
import { type CodecName, codecNames } from '../server/src/carriers/sip/sound/codecs.ts'
import { moonshine } from '../server/src/engines/models/catalogue.ts'
import { moonshineTranscriber } from '../server/src/engines/moonshine/moonshine.ts'
import { clipsAbsent, readClips } from '../server/test/props/engines/clips.ts'
import { modelsAtHand } from '../server/test/props/engines/models-at-hand.ts'
import { errorRate, type WordErrors, wordErrors } from '../server/test/props/engines/word-errors.ts'
import { overLine } from '../server/test/props/sip/over-line.ts'
import { badLine, Spoiler, type SpoilerOptions } from '../server/test/props/sip/spoiler.ts'
import { median } from './rounds.ts'
import { printIfMain, type Row } from './row.ts'

// Enough for a figure, few enough for a minute or two: every codec hears all of them, and the spoiled line twice.
const mostClips = 11
const clips = readClips()
  .filter(({ said }) => said !== '')
  .slice(0, mostClips)
const seeds = [1, 2]

interface Line {
  readonly errors: number
  readonly score: number
  readonly concealedShare: number
}

type Ear = (samples: Int16Array) => Promise<string>

async function measureLine(ear: Ear, codec: CodecName, spoiling: SpoilerOptions | null): Promise<Line> {
  const counts: WordErrors[] = []
  const scores: number[] = []
  const concealed: number[] = []
  for (const [place, { samples, said }] of clips.entries())
    for (const seed of spoiling ? seeds : [0]) {
      const there = spoiling
        ? { there: new Spoiler(spoiling, 100 * seed + place), back: new Spoiler(spoiling, seed) }
        : {}
      const heard = await overLine(samples, { codec, ...there })
      counts.push(wordErrors(said, await ear(heard.samples)))
      scores.push(heard.stats.opinionScore)
      concealed.push(heard.stats.concealedMs / (heard.samples.length / 16))
    }
  return { errors: errorRate(counts), score: median(scores), concealedShare: median(concealed) }
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`

async function measure(): Promise<Row[]> {
  const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, moonshine)
  if (absent ?? clipsAbsent) return []
  const transcriber = moonshineTranscriber({ folder })
  const ear: Ear = async (samples) => (await transcriber.transcribe(samples)).text
  const rows: Row[] = []
  for (const codec of codecNames) {
    const clean = await measureLine(ear, codec, null)
    const spoiled = await measureLine(ear, codec, badLine)
    console.error(`${codec}: ${percent(clean.errors)} clean, ${percent(spoiled.errors)} spoiled`)
    rows.push({
      claim: `word errors over a line with 20 % loss, 100 ms of jitter, reordering and 5 % duplicates: ${codec}`,
      measured: `${percent(spoiled.errors)}, opinion score ${spoiled.score.toFixed(2)}, ${percent(spoiled.concealedShare)} of the sound concealed`,
      yardstick: `the same line without faults: ${percent(clean.errors)}, ${clean.score.toFixed(2)}, ${percent(clean.concealedShare)}`,
      ratio: (spoiled.errors / clean.errors).toFixed(1),
      target: 'none',
      verdict: 'no target',
    })
  }
  await transcriber.close()
  return rows
}

await printIfMain(import.meta.url, measure)
