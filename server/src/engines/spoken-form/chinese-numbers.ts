// Numbers, amounts, times and dates as they are said in Mandarin.
import { asciiMarks, type NumberWords, writtenForms } from './written-forms.ts'

const figures = [...'零一二三四五六七八九']
const places = ['', '十', '百', '千']

/** A group below ten thousand; a gap of zeros is said once. */
function group(number: number): string {
  let said = ''
  let isGap = false
  for (let place = 3; place >= 0; place--) {
    const figure = Math.floor(number / 10 ** place) % 10
    if (figure === 0) isGap = said !== ''
    else {
      said += `${isGap ? '零' : ''}${figures[figure]}${places[place]}`
      isGap = false
    }
  }
  return said
}

function cardinal(number: number): string {
  if (number === 0) return '零'
  const [low, middle, high] = [
    number % 10_000,
    Math.floor(number / 10_000) % 10_000,
    Math.floor(number / 100_000_000),
  ]
  const parts = [
    high ? `${group(high)}亿` : '',
    middle ? `${group(middle)}万` : '',
    low && low < 1_000 && number >= 10_000 ? `零${group(low)}` : group(low),
  ]
  return parts.join('').replace(/^一十/, '十')
}

const chineseNumbers: NumberWords = {
  cardinal,
  thousands: ',',
  fraction: '.',
  fractionWord: '点',
  percent: '百分之',
  minus: '负',
  plus: '加',
  and: '和',
  at: '艾特',
  dot: '点',
  dash: '杠',
  underscore: '下划线',
  moneyJoin: '',
  money: {
    '¥|￥': ['元', '元', '分'],
    $: ['美元', '美元', '美分'],
    '€': ['欧元', '欧元', '分'],
  },
  time: (hours, minutes) =>
    `${cardinal(hours)}点${minutes === 0 ? '' : minutes === 30 ? '半' : `${cardinal(minutes)}分`}`,
  date: (day, month, year) =>
    `${year ? `${[...String(year)].map((figure) => figures[Number(figure)]).join('')}年` : ''}${cardinal(month)}月${cardinal(day)}日`,
  abbreviations: {},
}

const spelledOut = writtenForms(chineseNumbers)

/** The word for per cent comes first. */
export const chineseForms = (sentence: string): string =>
  asciiMarks(spelledOut(sentence.replace(/(?<![\d.,])(\d[\d.,]*)\s?%/g, `${chineseNumbers.percent}$1`)))
