// How well the offline voices of other languages are understood: twenty sentences of each, spoken by Kokoro with our
// pronunciation and with that of the front end it was trained with, by turns, and heard by whisper small:
// node bench/spoken-languages.ts [language …] [--print].
//
// There is no recorded speech in these languages here, so both figures include whisper's own errors. Two targets: at most
// a fifth of the words is heard wrongly, which decides whether an agent may have the language without a vendor's key,
// since a caller hears the voice and not a comparison; and at most five points more than with the teacher's front end,
// since what the same voice says better is an error of our rules. One sentence that whisper garbles is three points or so.
import { kokoroSynthesizer } from '../server/src/engines/kokoro/kokoro.ts'
import { kokoroLanguages, worldVoice } from '../server/src/engines/kokoro/languages.ts'
import { japaneseDictionary, whisperSmall } from '../server/src/engines/models/catalogue.ts'
import { fetchModel } from '../server/src/engines/models/fetch-model.ts'
import { world } from '../server/src/engines/models/sets.ts'
import { pinyinOf } from '../server/src/engines/pronunciation/chinese.ts'
import { spokenHindi } from '../server/src/engines/pronunciation/hindi.ts'
import { loadJapaneseDictionary } from '../server/src/engines/pronunciation/japanese-dictionary.ts'
import { openWhisper } from '../server/src/engines/whisper/whisper.ts'
import { modelsAtHand } from '../server/test/props/engines/models-at-hand.ts'
import { joined, said } from '../server/test/props/engines/said.ts'
import { errorRate, type WordErrors, wordErrors } from '../server/test/props/engines/word-errors.ts'
import { sentences } from './languages/sentences.ts'
import { findTeacher } from './languages/teacher.ts'
import { printIfMain, type Row, verdict } from './row.ts'

// Every fifth word wrong: a caller has to ask again in most turns.
const mostErrors = 0.2
const mostAboveTeacher = 0.05

const given = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const isPrinted = process.argv.includes('--print')

async function measure(): Promise<Row[]> {
  const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, ...world, whisperSmall)
  if (absent) {
    console.error(`skipped: ${absent}`)
    return []
  }
  const voice = kokoroSynthesizer({ folder })
  const whisper = openWhisper({ folder, size: 'small', threads: 1 })
  const spelt = await spellings(folder)
  const { signal } = new AbortController()
  async function errorsIn(text: string, sentence: string, language: string): Promise<WordErrors> {
    const frames = await said(voice, text, { voice: worldVoice(language) ?? '', rateHz: 16_000 })
    const words = await whisper.recognise(joined(frames), language, signal)
    const heard = words.map((word) => word.text).join('')
    const count = wordErrors(compared(sentence, spelt[language]), compared(heard, spelt[language]))
    if (isPrinted) console.error(`${count.errors}/${count.words}  ${sentence}  →  ${heard}`)
    return count
  }
  const rows: Row[] = []
  for (const language of given.length > 0 ? given : Object.keys(kokoroLanguages)) {
    const teacher = await findTeacher(language)
    const [ours, theirs]: [WordErrors[], WordErrors[]] = [[], []]
    for (const sentence of sentences[language] ?? []) {
      const sounds = typeof teacher === 'string' ? sentence : await teacher(sentence)
      // One is heard while the other is spoken. What sounds the same is not said twice.
      const [own, other] = await Promise.all([
        errorsIn(sentence, sentence, language),
        sounds === sentence ? undefined : errorsIn(sounds, sentence, language),
      ])
      ours.push(own)
      theirs.push(other ?? own)
    }
    rows.push(
      languageRow(language, errorRate(ours), typeof teacher === 'string' ? teacher : errorRate(theirs)),
    )
  }
  await Promise.all([voice.close(), whisper.close()])
  return rows
}

type Spelling = (text: string) => string

/** These can be written in several ways that sound alike: they are compared as they are said. */
async function spellings(folder: string): Promise<Readonly<Record<string, Spelling>>> {
  const dictionary = await loadJapaneseDictionary(await fetchModel(japaneseDictionary, { folder }))
  const kana = (text: string) =>
    dictionary.wordsIn(text.replace(/\s/g, '')).map(({ surface, said }) => said ?? surface)
  return {
    zh: (text) => pinyinOf(text).join(' '),
    ja: (text) => [...kana(text).join('')].join(' '),
    hi: hindiSounds,
  }
}

/** Whisper confuses the signs of long and short vowels, and a nasal before a consonant has two spellings. */
const hindiSounds = (text: string) =>
  spokenHindi
    .pronounce(text)
    .replace(/[ˈˌː]/g, '')
    .replaceAll('ɪ', 'i')
    .replaceAll('ʊ', 'u')
    .replaceAll('ʌ', 'ə')
    .replace(/\u0303n?(?=\S)/g, 'n')

function compared(text: string, spelling: Spelling = (plain) => plain): string {
  const plain = text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[-'’]/g, ' ')
    .replace(/[^\p{L}\p{M}\p{N}\s]/gu, '')
  return spelling(plain)
}

const units: Readonly<Record<string, string>> = { zh: 'syllables', ja: 'kana' }

const percent = (rate: number) => (100 * rate).toFixed(1)

/** `teacher`: its rate, or why there is none. */
function languageRow(language: string, rate: number, teacher: number | string): Row {
  const above = typeof teacher === 'string' ? undefined : rate - teacher
  return {
    claim: `${sentences[language]?.length} sentences in ${language}, ${units[language] ?? 'words'} that whisper small hears wrongly`,
    measured: `${percent(rate)} %`,
    yardstick: typeof teacher === 'string' ? teacher : `the teacher’s front end: ${percent(teacher)} %`,
    ratio: above === undefined ? '–' : `${above < 0 ? '−' : '+'}${percent(Math.abs(above))} points`,
    target: `≤ ${100 * mostErrors} %${above === undefined ? '' : `, ≤ ${100 * mostAboveTeacher} points above`}`,
    verdict: verdict(rate <= mostErrors && (above ?? 0) <= mostAboveTeacher),
  }
}

await printIfMain(import.meta.url, measure)
