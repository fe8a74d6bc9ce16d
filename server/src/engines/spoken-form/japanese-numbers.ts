// Numbers, amounts, times and dates as they are written out in Japanese; the dictionary reads them.
import { asciiMarks, type NumberWords, writtenForms } from './written-forms.ts'

const figures = [...'〇一二三四五六七八九']
const places = ['', '十', '百', '千']

/** A group below ten thousand; one is said before none of the places. */
const group = (number: number): string =>
  [3, 2, 1, 0]
    .map((place) => {
      const figure = Math.floor(number / 10 ** place) % 10
      if (figure === 0) return ''
      return `${figure === 1 && place > 0 ? '' : figures[figure]}${places[place]}`
    })
    .join('')

function cardinal(number: number): string {
  if (number === 0) return 'ゼロ'
  const [low, middle, high] = [
    number % 10_000,
    Math.floor(number / 10_000) % 10_000,
    Math.floor(number / 100_000_000),
  ]
  const part = (value: number, name: string) => (value === 0 ? '' : `${group(value)}${name}`)
  return `${part(high, '億')}${part(middle, '万')}${group(low)}`
}

const japaneseNumbers: NumberWords = {
  cardinal,
  thousands: ',',
  fraction: '.',
  fractionWord: '点',
  percent: 'パーセント',
  minus: 'マイナス',
  plus: 'プラス',
  and: 'と',
  at: 'アットマーク',
  dot: 'ドット',
  dash: 'ハイフン',
  underscore: 'アンダーバー',
  moneyJoin: '',
  money: {
    '¥|￥': ['円', '円', ''],
    $: ['ドル', 'ドル', 'セント'],
    '€': ['ユーロ', 'ユーロ', 'セント'],
  },
  time: (hours, minutes) =>
    `${cardinal(hours)}時${minutes === 0 ? '' : minutes === 30 ? '半' : `${cardinal(minutes)}分`}`,
  date: (day, month, year) => `${year ? `${cardinal(year)}年` : ''}${cardinal(month)}月${cardinal(day)}日`,
  abbreviations: {},
}

const spelledOut = writtenForms(japaneseNumbers)

/** Figures and letters may be written as wide as kanji. */
export const japaneseForms = (sentence: string): string => asciiMarks(spelledOut(sentence.normalize('NFKC')))
