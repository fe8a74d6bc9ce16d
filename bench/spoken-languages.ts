// How well the offline voices of other languages are understood: twenty sentences of each, spoken by Kokoro with our
// pronunciation and heard by whisper small: node bench/spoken-languages.ts [language …] [--print].
//
// There is no recorded speech in these languages here, so the figure includes whisper's own errors. It decides which
// languages an agent may have without a vendor's key.
import { kokoroSynthesizer } from '../server/src/adapters/embedded/kokoro/kokoro.ts'
import { kokoroLanguages } from '../server/src/adapters/embedded/kokoro/languages.ts'
import { worldVoice } from '../server/src/adapters/embedded/kokoro/voices.ts'
import { fetchModel } from '../server/src/adapters/embedded/models/fetch-model.ts'
import { japaneseDictionary } from '../server/src/adapters/embedded/models/japanese.ts'
import { world } from '../server/src/adapters/embedded/models/sets.ts'
import { whisperSmall } from '../server/src/adapters/embedded/models/whisper.ts'
import { pinyinOf } from '../server/src/adapters/embedded/pronunciation/chinese.ts'
import { hindi } from '../server/src/adapters/embedded/pronunciation/hindi.ts'
import { loadJapaneseDictionary } from '../server/src/adapters/embedded/pronunciation/japanese-dictionary.ts'
import { openWhisper } from '../server/src/adapters/embedded/whisper/whisper.ts'
import { modelsAtHand } from '../server/test/props/engines/models-at-hand.ts'
import { joined, said } from '../server/test/props/engines/said.ts'
import { errorRate, wordErrors } from '../server/test/props/engines/word-errors.ts'
import { sentences } from './languages/sentences.ts'
import { printIfMain, type Row, verdict } from './row.ts'

// Every fifth word wrong: a caller has to ask again in most turns.
const mostErrors = 0.2

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
  const rows: Row[] = []
  for (const language of given.length > 0 ? given : Object.keys(kokoroLanguages)) {
    const counts = []
    const spelling = spelt[language]
    for (const sentence of sentences[language] ?? []) {
      const frames = await said(voice, sentence, { voice: worldVoice(language) ?? '', rateHz: 16_000 })
      const words = await whisper.recognise(joined(frames), language, signal)
      const heard = words.map(({ text }) => text).join('')
      const count = wordErrors(compared(sentence, spelling), compared(heard, spelling))
      counts.push(count)
      if (isPrinted) console.error(`${count.errors}/${count.words}  ${sentence}  →  ${heard}`)
    }
    rows.push(languageRow(language, errorRate(counts)))
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
    // Whisper confuses the signs of long and short vowels.
    hi: (text) => hindi.pronounce(text).replace(/[ˈː]/g, ''),
  }
}

function compared(text: string, spelling: Spelling = (plain) => plain): string {
  const plain = text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[-'’]/g, ' ')
    .replace(/[^\p{L}\p{M}\p{N}\s]/gu, '')
  return spelling(plain)
}

const units: Readonly<Record<string, string>> = { zh: 'syllables', ja: 'kana' }

const languageRow = (language: string, rate: number): Row => ({
  claim: `${sentences[language]?.length} sentences in ${language}, ${units[language] ?? 'words'} that whisper small hears wrongly`,
  measured: `${(100 * rate).toFixed(1)} %`,
  yardstick: 'none: there is no recorded speech to compare with',
  ratio: '–',
  target: `≤ ${100 * mostErrors} %`,
  verdict: verdict(rate <= mostErrors),
})

await printIfMain(import.meta.url, measure)
