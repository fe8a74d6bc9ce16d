// Japanese: words by their readings in kana, and kana as the phonemes that the voice was trained on.
import { type DictionaryPaths, type JapaneseWord, loadJapaneseDictionary } from './japanese-dictionary.ts'

const rows: readonly (readonly [kana: string, sounds: string])[] = [
  ['アイウエオ', 'a i ɯ e o'],
  ['カキクケコ', 'ka kʲi kɯ ke ko'],
  ['ガギグゲゴ', 'ɡa ɡʲi ɡɯ ɡe ɡo'],
  ['サシスセソ', 'sa ɕi sɨ se so'],
  ['ザジズゼゾ', 'ʣa ʥi zɨ ʣe ʣo'],
  ['タチツテト', 'ta ʨi ʦɨ te to'],
  ['ダヂヅデド', 'da ʥi zɨ de do'],
  ['ナニヌネノ', 'na ɲi nɯ ne no'],
  ['ハヒフヘホ', 'ha çi ɸɯ he ho'],
  ['バビブベボ', 'ba bʲi bɯ be bo'],
  ['パピプペポ', 'pa pʲi pɯ pe po'],
  ['マミムメモ', 'ma mʲi mɯ me mo'],
  ['ヤユヨ', 'ja jɯ jo'],
  ['ラリルレロ', 'ɾa ɾʲi ɾɯ ɾe ɾo'],
  ['ワヲヴ', 'βa o vɯ'],
  ['ァィゥェォ', 'a i ɯ e o'],
  ['ンッー', 'ɴ ʔ ː'],
]
const sounds = new Map(
  rows.flatMap(([kana, said]) => {
    const each = said.split(' ')
    return [...kana].map((sign, place) => [sign, each[place] ?? ''] as const)
  }),
)
const smallY: Readonly<Record<string, string>> = { ャ: 'a', ュ: 'ɨ', ョ: 'o' }
const smallVowels: Readonly<Record<string, string>> = { ァ: 'a', ィ: 'i', ゥ: 'ɯ', ェ: 'e', ォ: 'o' }
// These sounds are palatal already: no glide follows.
const palatal = /[ʲɕʥʨɲç]$/

/** The phonemes of kana: `キョウ` is `kʲoɯ`, `シャ` is `ɕa`. */
export function phonemesOfKana(kana: string): string {
  let said = ''
  for (const sign of kana) {
    if (smallY[sign]) {
      const onset = said.replace(/[aiɯɨeo]$/, '')
      said = `${onset}${palatal.test(onset) ? '' : 'ʲ'}${smallY[sign]}`
    } else if (smallVowels[sign] && /[^aɯɨeoiː ]?[iɯɨeo]$/.test(said))
      said = `${said.replace(/[aiɯɨeo]$/, '')}${smallVowels[sign]}`
    else said += sounds.get(sign) ?? ''
  }
  return nasals.reduce((text, [pattern, sound]) => text.replace(pattern, sound), said)
}

// The sounds of ン, which is articulated where the next sound is.
const nasals: readonly (readonly [RegExp, string])[] = [
  [/ɴ(?=[mpb])/g, 'm'],
  [/ɴ(?=[kɡ])/g, 'ŋ'],
  [/ɴ(?=[ɲʨʥ])/g, 'ɲ'],
  [/ɴ(?=[ntdɾz])/g, 'n'],
]

const punctuation: Readonly<Record<string, string>> = {
  '、': ',',
  '，': ',',
  '。': '.',
  '！': '!',
  '？': '?',
  '：': ':',
  '・': ' ',
}
const katakana = (text: string) =>
  text.replace(/[ぁ-ゖ]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0x60))

const markOf = (surface: string) => punctuation[surface] ?? (/^[;:,.!?]$/.test(surface) ? surface : undefined)

const phonemesOfWord = ({ surface, said }: JapaneseWord): string =>
  markOf(surface) ?? phonemesOfKana(said ?? katakana(surface))

/** Loads the pronunciation, which puts a space before each word that is not a particle or an ending. */
export async function loadJapanese(paths: DictionaryPaths): Promise<(words: string) => string> {
  const dictionary = await loadJapaneseDictionary(paths)
  return (words) =>
    dictionary
      .wordsIn(words.replace(/\s/g, ''))
      .map((word) => `${word.isParticle || markOf(word.surface) ? '' : ' '}${phonemesOfWord(word)}`)
      .join('')
      .replace(/([,.!?:])(?=\S)/g, '$1 ')
      .trim()
}
