// The languages that Kokoro speaks besides English, and its voices.

import { languageCode } from '../language-code.ts'
import { japaneseDictionary, type Model } from '../models/catalogue.ts'
import { type KokoroVoice, type KokoroWorldVoice, kokoroVoices, kokoroWorldVoices } from '../models/kokoro.ts'
import { spokenFrench } from '../pronunciation/french.ts'
import { spokenHindi } from '../pronunciation/hindi.ts'
import { spokenItalian } from '../pronunciation/italian.ts'
import type { DictionaryPaths } from '../pronunciation/japanese-dictionary.ts'
import type { SpokenLanguage } from '../pronunciation/language.ts'
import { spokenPortuguese } from '../pronunciation/portuguese.ts'
import { spokenSpanish } from '../pronunciation/spanish.ts'
import { chineseForms } from '../spoken-form/chinese-numbers.ts'
import { japaneseForms } from '../spoken-form/japanese-numbers.ts'

export interface KokoroLanguage extends Pick<SpokenLanguage, 'normalise'> {
  /** The letter with which the names of its voices begin. */
  readonly letter: string
  /** The voice of agents that name none. */
  readonly voice: KokoroWorldVoice
  /** Where a sentence is split, if not as in languages with letters: a character may be a whole word. */
  readonly longestChars?: number
  /** The dictionary that its pronunciation needs besides rules. */
  readonly dictionary?: Model
  /**
   * Loads the pronunciation in the thread of the voice: dictionaries are large. `files`: those of the dictionary, by
   * their names.
   */
  loadPronounce(files: Readonly<Record<string, string>>): Promise<SpokenLanguage['pronounce']>
}

const byRules = ({ normalise, pronounce }: SpokenLanguage) => ({
  normalise,
  loadPronounce: async () => pronounce,
})

export const kokoroLanguages: Readonly<Record<string, KokoroLanguage>> = {
  es: { letter: 'e', voice: 'ef_dora', ...byRules(spokenSpanish) },
  fr: { letter: 'f', voice: 'ff_siwis', ...byRules(spokenFrench) },
  it: { letter: 'i', voice: 'if_sara', ...byRules(spokenItalian) },
  pt: { letter: 'p', voice: 'pf_dora', ...byRules(spokenPortuguese) },
  hi: { letter: 'h', voice: 'hf_alpha', ...byRules(spokenHindi) },
  ja: {
    letter: 'j',
    voice: 'jf_alpha',
    longestChars: 35,
    dictionary: japaneseDictionary,
    normalise: japaneseForms,
    loadPronounce: async (files) =>
      (await import('../pronunciation/japanese.ts')).loadJapanese(files as DictionaryPaths),
  },
  zh: {
    letter: 'z',
    voice: 'zf_xiaoxiao',
    longestChars: 30,
    normalise: chineseForms,
    loadPronounce: async () => (await import('../pronunciation/chinese.ts')).pronounceChinese,
  },
}

/** The language of a voice; undefined: English. */
export const kokoroLanguageOf = (voice: string): KokoroLanguage | undefined =>
  Object.values(kokoroLanguages).find(({ letter }) => voice.startsWith(letter))

export type AnyKokoroVoice = KokoroVoice | KokoroWorldVoice

// The voices that the authors grade best.
const defaultVoices = { female: 'af_heart', male: 'am_michael' } as const satisfies Record<
  'female' | 'male',
  KokoroVoice
>

export const kokoroVoiceNames = Object.keys(kokoroVoices.files) as KokoroVoice[]
const world = Object.keys(kokoroWorldVoices.files) as KokoroWorldVoice[]

export const isWorldVoice = (voice: string): voice is KokoroWorldVoice =>
  (world as readonly string[]).includes(voice)

/** The gender by the second letter of a voice's name: `am_michael`, `bf_emma`. */
export const genderOfKokoro = (voice: AnyKokoroVoice): 'female' | 'male' =>
  voice[1] === 'm' ? 'male' : 'female'

/** Whether a voice has this name, in full or after the underscore: `af_bella`, `Bella`. */
const called = (name: string) => (voice: string) => [voice, voice.slice(3)].includes(name.toLowerCase())

export const findKokoroVoice = (name: string): AnyKokoroVoice | undefined =>
  kokoroVoiceNames.find(called(name)) ?? world.find((voice) => voice === name.toLowerCase())

/** The voice of a name; unknown names, such as other vendors' voices, get the default. */
export const kokoroVoice = (name: string, gender: 'female' | 'male' = 'female'): AnyKokoroVoice =>
  findKokoroVoice(name) ?? defaultVoices[gender]

/**
 * The voice of a language other than English, by one of these names or else of this gender, if there is one; undefined:
 * none is needed.
 */
export function worldVoice(
  language: string | undefined,
  names: readonly string[] = [],
  gender?: 'female' | 'male',
): KokoroWorldVoice | undefined {
  const code = languageCode(language, Object.keys(kokoroLanguages))
  const own = code === undefined ? undefined : kokoroLanguages[code]
  if (!own) return undefined
  const voices = world.filter((voice) => voice.startsWith(own.letter))
  const named = names.flatMap((name) => voices.find(called(name)) ?? [])[0]
  if (named || gender === undefined || genderOfKokoro(own.voice) === gender) return named ?? own.voice
  return voices.find((voice) => genderOfKokoro(voice) === gender) ?? own.voice
}
