// Numbers, amounts, times and dates as they are said in France.
import type { NumberWords } from './written-forms.ts'

const upToTwenty =
  'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf'.split(
    ' ',
  )
const tens = [
  '',
  '',
  'vingt',
  'trente',
  'quarante',
  'cinquante',
  'soixante',
  'soixante',
  'quatre-vingt',
  'quatre-vingt',
]
const months = 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(
  ' ',
)

function cardinal(number: number): string {
  if (number < 20) return upToTwenty[number] ?? ''
  if (number < 100) return belowHundred(number)
  if (number < 1_000) {
    const hundreds = Math.floor(number / 100)
    return spaced(hundreds === 1 ? 'cent' : `${cardinal(hundreds)} cent`, number % 100)
  }
  if (number < 1_000_000) {
    const thousands = Math.floor(number / 1_000)
    return spaced(thousands === 1 ? 'mille' : `${cardinal(thousands)} mille`, number % 1_000)
  }
  const millions = Math.floor(number / 1_000_000)
  return spaced(`${cardinal(millions)} ${millions === 1 ? 'million' : 'millions'}`, number % 1_000_000)
}

/** Seventy and ninety count on from sixty and eighty. */
function belowHundred(number: number): string {
  const ten = Math.floor(number / 10)
  const said = tens[ten] ?? ''
  const rest = number - (ten === 7 || ten === 9 ? ten - 1 : ten) * 10
  if (rest === 0) return said
  return (rest === 1 || rest === 11) && ten < 8
    ? `${said} et ${upToTwenty[rest]}`
    : `${said} ${upToTwenty[rest]}`
}

const spaced = (said: string, rest: number) => (rest === 0 ? said : `${said} ${cardinal(rest)}`)

export const frenchNumbers: NumberWords = {
  cardinal,
  ...{
    thousands: ' ',
    fraction: ',',
    fractionWord: 'virgule',
    percent: 'pour cent',
    minus: 'moins',
    plus: 'plus',
  },
  ...{ and: 'et', at: 'arobase', dot: 'point', dash: 'tiret', underscore: 'tiret bas', moneyJoin: '' },
  money: {
    '€': ['euro', 'euros', ''],
    $: ['dollar', 'dollars', ''],
    '£': ['livre', 'livres', ''],
  },
  time(hours, minutes) {
    const hour = `${hours === 1 ? 'une heure' : `${cardinal(hours)} heures`}`
    return minutes === 0 ? hour : `${hour} ${cardinal(minutes)}`
  },
  date: (day, month, year) =>
    [day === 1 ? 'premier' : cardinal(day), months[month - 1], year ? cardinal(year) : '']
      .filter(Boolean)
      .join(' '),
  abbreviations: {
    'm.': 'monsieur',
    mme: 'madame',
    'mme.': 'madame',
    mlle: 'mademoiselle',
    dr: 'docteur',
    'dr.': 'docteur',
    'tél.': 'téléphone',
    'etc.': 'et cétéra',
  },
}
