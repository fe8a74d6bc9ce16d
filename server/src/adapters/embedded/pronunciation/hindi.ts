// Hindi: Devanagari is written as it sounds, except for the inherent vowel, which is silent where it is not needed.
import { hindiNumbers } from '../../spoken-form/hindi-numbers.ts'
import { writtenForms } from '../../spoken-form/written-forms.ts'
import { pronounceWords, type SpokenLanguage } from './language.ts'

const consonants: Readonly<Record<string, string>> = {
  ...{
    क: 'k',
    ख: 'kʰ',
    ग: 'ɡ',
    घ: 'ɡʰ',
    ङ: 'ŋ',
    च: 'ʧ',
    छ: 'ʧʰ',
    ज: 'ʤ',
    झ: 'ʤʰ',
    ञ: 'ɲ',
    ट: 'ʈ',
    ठ: 'ʈʰ',
    ड: 'ɖ',
  },
  ...{
    ढ: 'ɖʰ',
    ण: 'ɳ',
    त: 't',
    थ: 'tʰ',
    द: 'd',
    ध: 'dʰ',
    न: 'n',
    प: 'p',
    फ: 'pʰ',
    ब: 'b',
    भ: 'bʰ',
    म: 'm',
    य: 'j',
  },
  ...{ र: 'r', ल: 'l', व: 'ʋ', श: 'ʃ', ष: 'ʂ', स: 's', ह: 'h', ळ: 'l' },
}
/** With a dot below: sounds of Persian and English words. */
const dotted: Readonly<Record<string, string>> = {
  ...{ क: 'q', ख: 'x', ग: 'ɣ', ज: 'z', ड: 'ɽ', ढ: 'ɽʰ', फ: 'f', य: 'j' },
}
const vowels: Readonly<Record<string, string>> = {
  ...{
    अ: 'ə',
    आ: 'aː',
    इ: 'ɪ',
    ई: 'iː',
    उ: 'ʊ',
    ऊ: 'uː',
    ऋ: 'rɪ',
    ए: 'eː',
    ऐ: 'ɛː',
    ओ: 'oː',
    औ: 'ɔː',
    ऑ: 'ɔː',
    ऍ: 'ɛː',
  },
}
const signs: Readonly<Record<string, string>> = {
  ...{
    'ा': 'aː',
    'ि': 'ɪ',
    'ी': 'iː',
    'ु': 'ʊ',
    'ू': 'uː',
    'ृ': 'rɪ',
    'े': 'eː',
    'ै': 'ɛː',
    'ो': 'oː',
    'ौ': 'ɔː',
    'ॉ': 'ɔː',
    'ॅ': 'ɛː',
  },
}
const [dot, muted, nasalDot, nasalMoon, breath] = ['़', '्', 'ं', 'ँ', 'ः']

interface Syllable {
  readonly onset: string
  /** Empty: muted. */
  vowel: string
  readonly isInherent: boolean
  nasal: '' | 'dot' | 'moon'
}

function syllablesOf(word: string): Syllable[] {
  const syllables: Syllable[] = []
  const letters = [...word.normalize('NFD')]
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at] ?? ''
    if (vowels[letter]) syllables.push({ onset: '', vowel: vowels[letter], isInherent: false, nasal: '' })
    else if (consonants[letter]) {
      const hasDot = letters[at + 1] === dot
      if (hasDot) at++
      const onset = (hasDot && dotted[letter]) || consonants[letter]
      const sign = letters[at + 1] ?? ''
      if (sign === muted) syllables.push({ onset, vowel: '', isInherent: false, nasal: '' })
      else syllables.push({ onset, vowel: signs[sign] ?? 'ə', isInherent: !signs[sign], nasal: '' })
      if (sign === muted || signs[sign]) at++
    } else {
      const last = syllables.at(-1)
      if (last && letter === nasalDot) last.nasal = 'dot'
      if (last && letter === nasalMoon) last.nasal = 'moon'
      if (last && letter === breath) last.vowel += 'h'
    }
  }
  return syllables
}

/** At the end of a word, and between two syllables that keep their vowels, the inherent vowel is silent. */
function silenced(syllables: Syllable[]): Syllable[] {
  const last = syllables.at(-1)
  const hasOther = syllables.slice(0, -1).some(({ vowel }) => vowel !== '')
  const afterCluster = syllables.at(-2)?.vowel === '' && /^[jrʋl]/.test(last?.onset ?? '')
  if (last?.isInherent && hasOther && !last.nasal && !afterCluster) last.vowel = ''
  for (let at = syllables.length - 2; at > 0; at--) {
    const [before, here, after] = [syllables[at - 1], syllables[at], syllables[at + 1]]
    const isBetween = before?.vowel && here?.isInherent && here.vowel && after?.vowel
    if (isBetween && here.onset !== '' && !here.nasal && after.onset !== '') here.vowel = ''
  }
  return syllables
}

/** The nasal consonant that is articulated where the next one is. */
function nasalBefore(next: string | undefined): string {
  if (!next) return '̃'
  if (/^[kɡ]/.test(next)) return 'ŋ'
  if (/^[ʧʤ]/.test(next)) return 'ɲ'
  if (/^[ʈɖ]/.test(next)) return 'ɳ'
  return /^[pbm]/.test(next) ? 'm' : 'n'
}

function phonemesOf(word: string): string {
  const syllables = silenced(syllablesOf(word))
  const long = syllables.findLastIndex(({ vowel }, place) => /ː/.test(vowel) && place < syllables.length - 1)
  const first = syllables.findIndex(({ vowel }) => vowel !== '')
  const stressed = long >= 0 ? long : first
  return syllables
    .map(({ onset, vowel, nasal }, place) => {
      const mark = place === stressed ? 'ˈ' : ''
      const said = vowel === 'ə' && place === stressed ? 'ʌ' : vowel
      const after = nasal === '' ? '' : nasal === 'moon' ? '̃' : nasalBefore(syllables[place + 1]?.onset)
      return `${onset}${vowel ? mark : ''}${after === '̃' ? `${said.replace('ː', '̃ː')}${/ː/.test(said) ? '' : '̃'}` : said + after}`
    })
    .join('')
}

export const hindi: SpokenLanguage = {
  normalise: (sentence) =>
    writtenForms(hindiNumbers)(sentence.replace(/[०-९]/g, latinFigure).replaceAll('।', '.')),
  pronounce: (words) => pronounceWords(words, phonemesOf, /[\u0900-\u0963\u0970-\u097f]+/),
}

const latinFigure = (figure: string) => String(figure.charCodeAt(0) - '०'.charCodeAt(0))
