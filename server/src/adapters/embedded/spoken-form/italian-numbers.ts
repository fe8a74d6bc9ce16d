// Numbers, amounts, times and dates as they are said in Italian.
import type { NumberWords } from './written-forms.ts'

const upToTwenty = (
  'zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici ' +
  'diciassette diciotto diciannove'
).split(' ')
const tens = [
  '',
  '',
  'venti',
  'trenta',
  'quaranta',
  'cinquanta',
  'sessanta',
  'settanta',
  'ottanta',
  'novanta',
]
const months =
  'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre'.split(' ')

function cardinal(number: number): string {
  if (number < 20) return upToTwenty[number] ?? ''
  if (number < 100) {
    const ten = tens[Math.floor(number / 10)] ?? ''
    const unit = number % 10
    if (unit === 0) return ten
    // The vowel is dropped before uno and otto; a final tre takes an accent.
    return `${unit === 1 || unit === 8 ? ten.slice(0, -1) : ten}${unit === 3 ? 'tré' : upToTwenty[unit]}`
  }
  if (number < 1_000) {
    const hundreds = Math.floor(number / 100)
    return spaced(hundreds === 1 ? 'cento' : `${cardinal(hundreds)}cento`, number % 100)
  }
  if (number < 1_000_000) {
    const thousands = Math.floor(number / 1_000)
    return spaced(thousands === 1 ? 'mille' : `${cardinal(thousands)} mila`, number % 1_000)
  }
  const millions = Math.floor(number / 1_000_000)
  return spaced(millions === 1 ? 'un milione' : `${cardinal(millions)} milioni`, number % 1_000_000)
}

const spaced = (said: string, rest: number) => (rest === 0 ? said : `${said} ${cardinal(rest)}`)

export const italianNumbers: NumberWords = {
  cardinal,
  ...{
    thousands: '.',
    fraction: ',',
    fractionWord: 'virgola',
    percent: 'per cento',
    minus: 'meno',
    plus: 'più',
  },
  ...{
    and: 'e',
    at: 'chiocciola',
    dot: 'punto',
    dash: 'trattino',
    underscore: 'trattino basso',
    moneyJoin: 'e',
  },
  money: {
    '€': ['euro', 'euro', ''],
    $: ['dollaro', 'dollari', ''],
    '£': ['sterlina', 'sterline', ''],
  },
  time(hours, minutes) {
    const hour = hours === 1 ? 'una' : cardinal(hours)
    if (minutes === 0) return hour
    if (minutes === 15) return `${hour} e un quarto`
    return minutes === 30 ? `${hour} e mezza` : `${hour} e ${cardinal(minutes)}`
  },
  date: (day, month, year) =>
    [day === 1 ? 'primo' : cardinal(day), months[month - 1], year ? cardinal(year) : '']
      .filter(Boolean)
      .join(' '),
  abbreviations: {
    'sig.': 'signor',
    'sig.ra': 'signora',
    'dott.': 'dottor',
    'dott.ssa': 'dottoressa',
    'ing.': 'ingegner',
    'avv.': 'avvocato',
    'prof.': 'professor',
    'tel.': 'telefono',
    'ecc.': 'eccetera',
  },
}
