// Devanagari: what is written as syllables. Each consonant has a vowel sign, a sign that mutes it, or the inherent vowel.
import { soundTable } from './sound-table.ts'

const consonants = soundTable(`
  क k, ख kʰ, ग ɡ, घ ɡʰ, ङ ŋ, च c, छ cʰ, ज ɟ, झ ɟʰ, ञ ɲ, ट ʈ, ठ ʈʰ, ड ɖ, ढ ɖʰ, ण ɳ, त t, थ tʰ, द d,
  ध dʰ, न n, प p, फ pʰ, ब b, भ bʰ, म m, य j, र ɾ, ल l, व ʋ, श ʃ, ष ʂ, स s, ह h, ळ l
`)
/** With a dot below: sounds of Persian and English words. */
const dotted = soundTable('क q, ख x, ग ɣ, ज z, ड ɽ, ढ ɽʰ, फ f, य j')
const vowels = soundTable('अ ə, आ aː, इ ɪ, ई iː, उ ʊ, ऊ uː, ए eː, ऐ ɛː, ओ oː, औ ɔː, ऑ ɔ, ऍ ɛː')
const signs = soundTable('ा aː, ि ɪ, ी iː, ु ʊ, ू uː, े eː, ै ɛː, ो oː, ौ ɔː, ॉ ɔ, ॅ ɛː')
const [dot, muted, nasalDot, nasalMoon, breath] = ['़', '्', 'ं', 'ँ', 'ः']

export interface Syllable {
  readonly onset: string
  /** Empty: muted, or silent. */
  vowel: string
  readonly isMuted: boolean
  readonly isInherent: boolean
  nasal: '' | 'dot' | 'moon'
}

/** Letters for two sounds that are read as others, and the vowel r, as what they sound like. */
const respelled = (word: string) =>
  word
    .normalize('NFD')
    .replaceAll('ज्ञ', 'ग्य')
    .replaceAll('क्ष', 'क्श')
    .replaceAll('ऋ', 'रि')
    .replaceAll('ृ', '्रि')

export function syllablesOf(word: string): Syllable[] {
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
