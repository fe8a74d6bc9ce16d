// Hindi: Devanagari is written as it sounds, except for the inherent vowel, which is silent where it is not needed, and
// for the stress, which follows from the weight of the syllables. The voice knows च and ज as the stops c and ɟ, and र as ɾ.
import { hindiNumbers } from '../spoken-form/hindi-numbers.ts'
import { writtenForms } from '../spoken-form/written-forms.ts'
import { pronounceWords, type SpokenLanguage, soundTable } from './language.ts'

// Particles, forms of "to be" and the like have no stress of their own, pronouns half of one.
const unstressed = new Set('का की के को से में मैं है हैं हूँ हूं हो था थे थी थीं और ये वे क्या'.split(' '))
const halfStressed = new Set(
  (
    'वह यह हम तुम आप मेरा मेरी मेरे मुझे तक अगर रहा रही रहे हमारा हमारी हमारे आपका आपकी आपके आपको ' +
    'इसका इसकी इसके उसका उसकी उसके उनका उनकी उनके'
  ).split(' '),
)

/** Mutes inherent vowels: at the end of a word, and between two syllables that keep their vowels. */
function silenced(syllables: Syllable[]): Syllable[] {
  const last = syllables.at(-1)
  const hasOther = syllables.slice(0, -1).some(({ vowel }) => vowel !== '')
  if (last?.isInherent && hasOther && !last.nasal && !isHardCluster(syllables.at(-2), last)) last.vowel = ''
  for (let at = syllables.length - 2; at > 0; at--) {
    const [before, here, after] = [syllables[at - 1], syllables[at], syllables[at + 1]]
    const isBetween = before?.vowel && !before.nasal && here?.isInherent && !here.nasal && after?.vowel
    if (!isBetween || after.onset === '') continue
    // Without the vowel, h would be lost or three consonants would meet.
    const isNeeded =
      here.onset === 'h' || after.onset === 'h' || (after.isInherent && syllables[at + 2]?.isMuted)
    if (!isNeeded) here.vowel = ''
  }
  return syllables
}

/** Whether two consonants cannot be said at the end of a word without a vowel: mitra, rājya, praśna. */
const isHardCluster = (first: Syllable | undefined, { onset }: Syllable) =>
  first?.isMuted && (onset === 'j' || (/^[ɾlʋnɳm]/.test(onset) && !/^[ɾlʋnɳmŋɲj]/.test(first.onset)))

/** The place of the main stress among the syllables: the last heavy one but the very last, which must be overlong. */
function stressOf(syllables: readonly Syllable[]): number {
  const spoken = [...syllables.keys()].filter((place) => syllables[place]?.vowel !== '')
  const final = spoken.at(-1) ?? 0
  const isLong = (place: number) => /ː/.test(syllables[place]?.vowel ?? '') || syllables[place]?.nasal !== ''
  if (syllables.length - 1 - final + (isLong(final) ? 1 : 0) >= 2) return final
  // A silent vowel closes no syllable inside of a word: samajhnā.
  const isHeavy = (place: number) => isLong(place) || syllables[place + 1]?.isMuted
  return spoken.slice(0, -1).findLast(isHeavy) ?? spoken[0] ?? 0
}

/** The stress mark of each syllable. Silent ones count for the rhythm, muted ones do not. */
function marksOf(word: string, syllables: readonly Syllable[]): ReadonlyMap<number, 'ˈ' | 'ˌ'> {
  if (unstressed.has(word)) return new Map()
  const main = stressOf(syllables)
  const beats = [...syllables.keys()].filter((place) => !syllables[place]?.isMuted)
  const beat = beats.indexOf(main)
  const [first, later] = [beat >= 2 ? beats[0] : undefined, beats[beat + 2]]
  return new Map([
    ...[first, later].filter((place) => place !== undefined).map((place) => [place, 'ˌ'] as const),
    [main, halfStressed.has(word) ? 'ˌ' : 'ˈ'],
  ])
}

/** The nasal consonant that is articulated where the next one is. */
function nasalBefore(next: string | undefined): string {
  if (!next || /^[pbm]/.test(next)) return 'm'
  if (/^[kɡ]/.test(next)) return 'ŋ'
  if (/^[cɟj]/.test(next)) return 'ɲ'
  return /^[ʈɖ]/.test(next) ? 'ɳ' : 'n'
}

/** When nasal, only e stays long, and i and u are not lax. */
function nasalVowel(vowel: string, nasal: 'dot' | 'moon', next: string | undefined): string {
  if (/^[əʌ]$/.test(vowel) && nasal === 'dot') return vowel + nasalBefore(next)
  const short = vowel.replace('ː', '').replace('ɪ', 'i').replace('ʊ', 'u')
  const closes = nasal === 'moon' && next && /^[aiu]/.test(short)
  return `${short}\u0303${vowel === 'eː' ? 'ː' : ''}${closes ? 'n' : ''}`
}

function vowelOf(syllables: readonly Syllable[], place: number, mark: string): string {
  const { onset = '', vowel = '', nasal = '' } = syllables[place] ?? {}
  const isOpen = vowel === 'ə' && (mark === 'ˈ' || (place === 0 && onset === ''))
  // A long i is marked as long inside of a word only.
  const isBare = vowel === 'iː' && (onset === '' || place === syllables.length - 1)
  const said = isOpen ? 'ʌ' : isBare ? 'i' : vowel
  return nasal ? nasalVowel(said, nasal, syllables[place + 1]?.onset) : said
}

/** Before y a voiceless stop is held, as in kyā, and before y, v and m the r is rolled. */
function mutedBefore(onset: string, next = ''): string {
  if (/^[kpt]$/.test(onset) && next === 'j') return `${onset}ː`
  return onset === 'ɾ' && /^[jʋm]$/.test(next) ? 'r' : onset
}

function phonemesOf(word: string): string {
  const syllables = silenced(syllablesOf(word))
  const marks = marksOf(word, syllables)
  return (
    syllables
      .map(({ onset, vowel, isMuted }, place) => {
        if (isMuted) return mutedBefore(onset, syllables[place + 1]?.onset)
        const mark = vowel ? (marks.get(place) ?? '') : ''
        return onset + mark + (vowel && vowelOf(syllables, place, mark))
      })
      .join('')
      // Double stops are held; ay at the end is more open.
      .replace(/([kptʈcbdɖɡɟ])\1(?!ʰ)/g, '$1ː')
      .replace(/əj$/, 'ˌɛj')
  )
}

export const spokenHindi: SpokenLanguage = {
  normalise: (sentence) =>
    writtenForms(hindiNumbers)(sentence.replace(/[०-९]/g, latinFigure).replaceAll('।', '.')),
  pronounce: (words) => pronounceWords(words, phonemesOf, /[\u0900-\u0963\u0970-\u097f]+/),
}

const latinFigure = (figure: string) => String(figure.charCodeAt(0) - '०'.charCodeAt(0))

const consonants = soundTable(`
  क k, ख kʰ, ग ɡ, घ ɡʰ, ङ ŋ, च c, छ cʰ, ज ɟ, झ ɟʰ, ञ ɲ, ट ʈ, ठ ʈʰ, ड ɖ, ढ ɖʰ, ण ɳ, त t, थ tʰ, द d,
  ध dʰ, न n, प p, फ pʰ, ब b, भ bʰ, म m, य j, र ɾ, ल l, व ʋ, श ʃ, ष ʂ, स s, ह h, ळ l
`)
/** Letters with a dot below: sounds of Persian and English words. */
const dotted = soundTable('क q, ख x, ग ɣ, ज z, ड ɽ, ढ ɽʰ, फ f, य j')
const vowels = soundTable('अ ə, आ aː, इ ɪ, ई iː, उ ʊ, ऊ uː, ए eː, ऐ ɛː, ओ oː, औ ɔː, ऑ ɔ, ऍ ɛː')
const signs = soundTable('ा aː, ि ɪ, ी iː, ु ʊ, ू uː, े eː, ै ɛː, ो oː, ौ ɔː, ॉ ɔ, ॅ ɛː')
const [dot, muted, nasalDot, nasalMoon, breath] = ['़', '्', 'ं', 'ँ', 'ः']

interface Syllable {
  readonly onset: string
  /** The vowel; empty: muted, or silent. */
  vowel: string
  readonly isMuted: boolean
  readonly isInherent: boolean
  nasal: '' | 'dot' | 'moon'
}

/** Writes letters that stand for two sounds, and the vowel r, as what they sound like. */
const respelled = (word: string) =>
  word
    .normalize('NFD')
    .replaceAll('ज्ञ', 'ग्य')
    .replaceAll('क्ष', 'क्श')
    .replaceAll('ऋ', 'रि')
    .replaceAll('ृ', '्रि')

function syllablesOf(word: string): Syllable[] {
  const syllables: Syllable[] = []
  const add = (onset: string, vowel: string, kind: 'written' | 'muted' | 'inherent' = 'written') =>
    syllables.push({ onset, vowel, isMuted: kind === 'muted', isInherent: kind === 'inherent', nasal: '' })
  const letters = [...respelled(word)]
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at] ?? ''
    if (vowels[letter]) add('', vowels[letter])
    else if (consonants[letter]) {
      const hasDot = letters[at + 1] === dot
      if (hasDot) at++
      const onset = (hasDot && dotted[letter]) || consonants[letter]
      const sign = letters[at + 1] ?? ''
      if (sign === muted) add(onset, '', 'muted')
      else if (signs[sign]) add(onset, signs[sign])
      else add(onset, 'ə', 'inherent')
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
