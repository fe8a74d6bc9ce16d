// The languages that Kokoro speaks besides English.

import { japaneseDictionary, type Model } from '../models/catalogue.ts'
import type { KokoroWorldVoice } from '../models/kokoro.ts'
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
