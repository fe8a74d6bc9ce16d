// Measures how well the voices are understood: sixty sentences that nothing was tuned by, spoken and recognised back.
// They are not from the texts that wren was trained on: node bench/voice-word-errors.ts [--print].
import { readFileSync } from 'node:fs'
import { kokoroSynthesizer } from '../server/src/engines/kokoro/kokoro.ts'
import { moonshine, whisperBase } from '../server/src/engines/models/catalogue.ts'
import { pronunciation } from '../server/src/engines/models/kokoro.ts'
import { kokoro } from '../server/src/engines/models/sets.ts'
import { moonshineTranscriber } from '../server/src/engines/moonshine/moonshine.ts'
import { englishWords } from '../server/src/engines/spoken-form/english.ts'
import { openWhisper } from '../server/src/engines/whisper/whisper.ts'
import { type WrenVoice, wrenVoiceNames, wrenVoices } from '../server/src/engines/wren/voices.ts'
import { wrenSynthesizer } from '../server/src/engines/wren/wren.ts'
import type { TextSynthesizer } from '../server/src/ports/synthesizer.ts'
import { overTelephone, resampled } from '../server/test/props/engines/clips.ts'
import { modelsAtHand, modelsIfPresent } from '../server/test/props/engines/models-at-hand.ts'
import { joined, said } from '../server/test/props/engines/said.ts'
import { errorRate, type WordErrors, wordErrors } from '../server/test/props/engines/word-errors.ts'
import { findFlite } from './flite-voice.ts'
import { printIfMain, type Row, verdict } from './row.ts'

const sentences: readonly string[] = JSON.parse(
  readFileSync(new URL('./unseen-sentences.json', import.meta.url), 'utf8'),
)
const rateHz = 16_000
// In percent of the words, above the teacher.
const targetPoints = 1
const isPrinted = process.argv.includes('--print')
const never = new AbortController().signal

/** Writes down the words in sound at 16 kHz. */
type Ear = (samples: Int16Array) => Promise<string>

/** Speaks for a line of 16 kHz and for one of 8 kHz. */
type Speaker = (text: string) => Promise<{ readonly clear: Int16Array; readonly telephone: Int16Array }>

type Errors = ReadonlyMap<string, readonly WordErrors[]>

/** The errors by who listened over what line; every ear hears the same sound. */
async function heard(
  who: string,
  speakers: readonly Speaker[],
  ears: Readonly<Record<string, Ear>>,
): Promise<Errors> {
  const counts = new Map<string, WordErrors[]>()
  for (const [place, text] of sentences.entries()) {
    const spoken = await speakers[place % speakers.length]?.(text)
    if (!spoken) continue
    for (const [ear, listen] of Object.entries(ears))
      for (const [line, samples] of [
        ['16 kHz', spoken.clear],
        ['8 kHz µ-law', resampled(spoken.telephone, 8_000, rateHz)],
      ] as const) {
        const key = `${ear}, ${line}`
        const words = await listen(samples)
        // "$40" and "forty dollars" sound alike.
        const count = wordErrors(englishWords(text), englishWords(words))
        counts.set(key, [...(counts.get(key) ?? []), count])
        if (isPrinted && count.errors > 0)
          console.error(`${who}, ${key}: ${count.errors}/${count.words}  ${text}  →  ${words}`)
      }
  }
  return counts
}

/** Makes the sound for each line by itself. */
const wrenSpeaker =
  (wren: TextSynthesizer, voice: WrenVoice): Speaker =>
  async (text) => ({
    clear: joined(await said(wren, text, { voice, rateHz })),
    telephone: overTelephone(joined(await said(wren, text, { voice, rateHz: 8_000 })), 8_000),
  })

const resampledSpeaker =
  (speak: (text: string) => Promise<Int16Array>): Speaker =>
  async (text) => {
    const clear = await speak(text)
    return { clear, telephone: overTelephone(clear) }
  }

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
    const flite = await findFlite()
    const fliteSpeakers =
      flite && (['slt', 'rms'] as const).map((voice) => resampledSpeaker((text) => flite(text, voice)))
    const fliteErrors = fliteSpeakers && (await heard('flite', fliteSpeakers, ears))
    const wrenSpeakers = wrenVoiceNames.map((name) => wrenSpeaker(wren, name))
    const ours = await heard('wren', wrenSpeakers, ears)
    const teachers = wrenVoiceNames.map((name) =>
      resampledSpeaker(async (text) =>
        joined(await said(teacher, text, { voice: wrenVoices[name].style, rateHz })),
      ),
    )
    const theirs = await heard('Kokoro', teachers, ears)
    return [...ours.keys()].map((ear) => errorRow(ear, { ours, theirs, flite: fliteErrors }))
  } finally {
    for (const engine of [wren, teacher, moonshineEar, whisper]) await engine.close()
  }
}

interface ErrorComparison {
  readonly ours: Errors
  readonly theirs: Errors
  readonly flite: Errors | undefined
}

const percent = (rate: number) => `${(100 * rate).toFixed(1)} %`

function errorRow(ear: string, { ours, theirs, flite }: ErrorComparison): Row {
  const of = (errors: Errors) => errorRate(errors.get(ear) ?? [])
  const words = ours.get(ear)?.reduce((sum, one) => sum + one.words, 0)
  const points = 100 * (of(ours) - of(theirs))
  return {
    claim: `words misheard, four voices by turns, ${ear} (${sentences.length} sentences, ${words} words)`,
    measured: percent(of(ours)),
    yardstick: `Kokoro ${percent(of(theirs))}; ${flite ? `flite ${percent(of(flite))}` : 'flite is not installed'}`,
    ratio: `${points.toFixed(1)} points`,
    target: `≤ ${targetPoints} point above Kokoro`,
    verdict: verdict(points <= targetPoints),
  }
}

await printIfMain(import.meta.url, measure)
