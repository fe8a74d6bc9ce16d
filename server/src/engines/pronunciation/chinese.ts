// Mandarin: characters by their pinyin, and pinyin as the IPA with tone arrows that the voice was trained on.
import { pinyin } from 'pinyin-pro'
import { soundTable } from './language.ts'

const initials = soundTable(`
  b p, p pʰ, m m, f f, d t, t tʰ, n n, l l, g k, k kʰ, h x, j ʨ, q ʨʰ, x ɕ, zh ꭧ, ch ꭧʰ, sh ʂ, r ɻ,
  z ʦ, c ʦʰ, s s
`)
/** Finals with a 0 where the tone goes. */
const finals = soundTable(`
  a a0, o wo0, e ɤ0, er ɚ0, ai ai0, ei ei0, ao au0, ou ou0, an a0n, en ə0n, ang a0ŋ, eng ə0ŋ,
  ong ʊ0ŋ, i i0, ia ja0, ie je0, iao jau0, iu jou0, ian jɛ0n, in i0n, iang ja0ŋ, ing i0ŋ, iong jʊ0ŋ,
  u u0, ua wa0, uo wo0, uai wai0, ui wei0, uan wa0n, un wə0n, uang wa0ŋ, ueng wə0ŋ, ü y0, üe ɥe0,
  üan ɥɛ0n, ün y0n, ê e0
`)
const tones = ['', '→', '↗', '↓', '↘']
const syllabic = /^(?:zh|ch|sh|r|z|c|s)$/

/** The phonemes of a syllable: `ni3` is `ni↓`. */
export function phonemesOfSyllable(syllable: string): string {
  const [, letters = '', tone = ''] = /^([a-zü]+)([0-5]?)$/.exec(spelledOut(syllable)) ?? []
  const initial = /^(?:zh|ch|sh|[bpmfdtnlgkhjqxrzcs])/.exec(letters)?.[0] ?? ''
  const rest = letters.slice(initial.length)
  const mark = tones[Number(tone)] ?? ''
  if (rest === 'i' && syllabic.test(initial)) return `${initials[initial]}ɨ${mark}`
  // After j, q and x, u is written for ü.
  const final = /^[jqx]$/.test(initial) ? rest.replace(/^u/, 'ü') : rest
  return (initials[initial] ?? '') + (finals[final] ?? '').replace('0', mark)
}

/** Spells out syllables without an initial, which are written with y or w: `you` is `iu`, `wei` is `ui`, `yu` is `ü`. */
function spelledOut(syllable: string): string {
  const plain = syllable.toLowerCase().replace('v', 'ü')
  if (/^yu/.test(plain)) return plain.replace(/^yu/, 'ü')
  if (/^you/.test(plain)) return plain.replace(/^you/, 'iu')
  if (/^yi/.test(plain)) return plain.replace(/^y/, '')
  if (/^y/.test(plain)) return plain.replace(/^y/, 'i')
  if (/^wu/.test(plain)) return plain.replace(/^w/, '')
  if (/^wei/.test(plain)) return plain.replace(/^wei/, 'ui')
  if (/^wen(?!g)/.test(plain)) return plain.replace(/^wen/, 'un')
  return plain.replace(/^w/, 'u')
}

const punctuation: Readonly<Record<string, string>> = {
  '，': ',',
  '、': ',',
  '。': '.',
  '！': '!',
  '？': '?',
  '：': ':',
  '；': ';',
}
const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })

/** Words are separated by spaces, as the voice learned them. */
export function pronounceChinese(sentence: string): string {
  return [...segmenter.segment(sentence)]
    .map(({ segment }) => {
      const mark = punctuation[segment] ?? (/^[;:,.!?—…]$/.test(segment) ? segment : undefined)
      if (mark) return mark
      return /\p{Script=Han}/u.test(segment) ? ` ${wordOf(segment)}` : ''
    })
    .join('')
    .trim()
}

const wordOf = (word: string) => pinyinOf(word).map(phonemesOfSyllable).join('')

/** The syllables of a text: `您好` is `nin2`, `hao3`. What is not Chinese is left out. */
export const pinyinOf = (text: string): string[] =>
  pinyin(text, { toneType: 'num', type: 'array', nonZh: 'removed' })
