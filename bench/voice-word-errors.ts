// How well the voices are understood: sixty sentences that nothing was tuned by, spoken and recognised back. They are
// not from the texts that wren was trained on.
import { readFileSync } from 'node:fs'
import { kokoroSynthesizer } from '../server/src/adapters/embedded/kokoro/kokoro.ts'
import { moonshine } from '../server/src/adapters/embedded/models/catalogue.ts'
import { pronunciation } from '../server/src/adapters/embedded/models/kokoro.ts'
import { kokoro } from '../server/src/adapters/embedded/models/sets.ts'
import { whisperBase } from '../server/src/adapters/embedded/models/whisper.ts'
import { moonshineTranscriber } from '../server/src/adapters/embedded/moonshine/moonshine.ts'
import { openWhisper } from '../server/src/adapters/embedded/whisper/whisper.ts'
import { wrenSynthesizer } from '../server/src/adapters/embedded/wren/wren.ts'
import type { TextSynthesizer } from '../server/src/ports/synthesizer.ts'
import { overTelephone, resampled } from '../server/test/props/engines/clips.ts'
import { modelsAtHand, modelsIfPresent } from '../server/test/props/engines/models-at-hand.ts'
import { joined, said } from '../server/test/props/engines/said.ts'
import { errorRate, type WordErrors, wordErrors } from '../server/test/props/engines/word-errors.ts'
import { printIfMain, type Row, verdict } from './row.ts'

const sentences: readonly string[] = JSON.parse(
  readFileSync(new URL('./unseen-sentences.json', import.meta.url), 'utf8'),
)
const rateHz = 16_000
// In percent of the words, above the teacher.
const targetPoints = 1
const never = new AbortController().signal

/** Writes down what is said in sound at 16 kHz. */
type Ear = (samples: Int16Array) => Promise<string>

interface Heard {
  readonly ear: string
  readonly counts: readonly WordErrors[]
}

/** Two voices by turns, a woman and a man; every ear hears the same sound. */
async function heard(
  voice: TextSynthesizer,
  names: readonly [string, string],
  ears: Readonly<Record<string, Ear>>,
): Promise<Heard[]> {
  const counts = new Map<string, WordErrors[]>()
  for (const [place, text] of sentences.entries()) {
    const name = names[place % 2] ?? names[0]
    const clear = joined(await said(voice, text, { voice: name, rateHz }))
    const telephone = resampled(overTelephone(clear), 8_000, rateHz)
    for (const [ear, listen] of Object.entries(ears))
      for (const [line, samples] of [
        ['16 kHz', clear],
        ['8 kHz µ-law', telephone],
      ] as const) {
        const key = `${ear}, ${line}`
        counts.set(key, [...(counts.get(key) ?? []), wordErrors(text, await listen(samples))])
      }
  }
  return [...counts].map(([ear, all]) => ({ ear, counts: all }))
}

const percent = (rate: number) => `${(100 * rate).toFixed(1)} %`

async function measure(): Promise<Row[]> {
  const { folder, absent } = await modelsAtHand(
    process.env.PARLEY_MODELS_DIR,
    moonshine,
    whisperBase,
    pronunciation,
  )
  const { absent: noTeacher } = await modelsIfPresent(process.env.PARLEY_MODELS_DIR, ...kokoro)
  if (absent ?? noTeacher) return []
  const moonshineEar = moonshineTranscriber({ folder })
  const whisper = openWhisper({ folder, size: 'base', threads: 1 })
  const ears: Record<string, Ear> = {
    Moonshine: async (samples) => (await moonshineEar.transcribe(samples)).text,
    'whisper base': async (samples) =>
      (await whisper.recognise(samples, 'en', never)).map(({ text }) => text).join(' '),
  }
  const wren = wrenSynthesizer({ folder })
  const teacher = kokoroSynthesizer({ folder })
  try {
    const rows: Row[] = []
    for (const [woman, man] of [
      ['heart', 'michael'],
      ['bella', 'fenrir'],
    ] as const) {
      const ours = await heard(wren, [woman, man], ears)
      const theirs = await heard(teacher, [`af_${woman}`, `am_${man}`], ears)
      rows.push(
        ...ours.map((one, place) => errorRow(`${woman} and ${man}`, one, theirs[place]?.counts ?? [])),
      )
    }
    return rows
  } finally {
    for (const engine of [wren, teacher, moonshineEar, whisper]) await engine.close()
  }
}

function errorRow(who: string, { ear, counts }: Heard, teacher: readonly WordErrors[]): Row {
  const [ours, theirs] = [errorRate(counts), errorRate(teacher)]
  const words = counts.reduce((sum, one) => sum + one.words, 0)
  return {
    claim: `words misheard, ${who} by turns, ${ear} (${sentences.length} sentences, ${words} words)`,
    measured: percent(ours),
    yardstick: `Kokoro ${percent(theirs)}`,
    ratio: `${(100 * (ours - theirs)).toFixed(1)} points`,
    target: `≤ ${targetPoints} point above`,
    verdict: verdict(100 * (ours - theirs) <= targetPoints),
  }
}

await printIfMain(import.meta.url, measure)
