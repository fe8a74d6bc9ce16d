// Numbers, amounts, times and dates as they are said in Spanish.
import type { NumberWords } from './written-forms.ts'

const upToThirty = (
  'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete ' +
  'dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete ' +
  'veintiocho veintinueve treinta'
).split(' ')
const tens = ['', '', '', 'treinta', 'cuarenta', 'cincuenta', 'sesenta', 'setenta', 'ochenta', 'noventa']
const hundreds =
  ' ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos'.split(
    ' ',
  )
export const spanishMonths =
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' ')

const joined = (...parts: readonly string[]) => parts.filter(Boolean).join(' ')
const beforeNoun = (said: string) => said.replace(/veintiuno$/, 'veintiún').replace(/uno$/, 'un')

function cardinal(number: number): string {
  if (number <= 30) return upToThirty[number] ?? ''
  if (number < 100) {
    const unit = number % 10
    return joined(tens[Math.floor(number / 10)] ?? '', unit ? `y ${upToThirty[unit]}` : '')
  }
  if (number === 100) return 'cien'
  if (number < 1_000) return joined(hundreds[Math.floor(number / 100)] ?? '', rest(number % 100))
  if (number < 1_000_000) {
    const thousands = Math.floor(number / 1_000)
    return joined(thousands === 1 ? 'mil' : `${beforeNoun(cardinal(thousands))} mil`, rest(number % 1_000))
  }
  const millions = Math.floor(number / 1_000_000)
  const said = millions === 1 ? 'un millón' : `${beforeNoun(cardinal(millions))} millones`
  return joined(said, rest(number % 1_000_000))
}

const rest = (number: number) => (number === 0 ? '' : cardinal(number))

export const spanishNumbers: NumberWords = {
  cardinal,
  ...{
    thousands: '.',
    fraction: ',',
    fractionWord: 'coma',
    percent: 'por ciento',
    minus: 'menos',
    plus: 'más',
  },
  ...{ and: 'y', at: 'arroba', dot: 'punto', dash: 'guion', underscore: 'guion bajo', moneyJoin: 'con' },
  money: {
    '€': ['euro', 'euros', ''],
    $: ['dólar', 'dólares', ''],
    '£': ['libra', 'libras', ''],
    US$: ['dólar', 'dólares', ''],
  },
  time(hours, minutes) {
    const hour = hours === 1 ? 'una' : cardinal(hours).replace(/uno$/, 'una')
    if (minutes === 0) return `${hour} en punto`
    if (minutes === 15) return `${hour} y cuarto`
    return minutes === 30 ? `${hour} y media` : `${hour} y ${cardinal(minutes)}`
  },
  date: (day, month, year) =>
    joined(
      day === 1 ? 'primero' : cardinal(day),
      `de ${spanishMonths[month - 1] ?? ''}`,
      year ? `de ${cardinal(year)}` : '',
    ),
  abbreviations: {
    'sr.': 'señor',
    'sra.': 'señora',
    'srta.': 'señorita',
    'dr.': 'doctor',
    'dra.': 'doctora',
    'ud.': 'usted',
    'uds.': 'ustedes',
    'avda.': 'avenida',
    'av.': 'avenida',
    'núm.': 'número',
    'tel.': 'teléfono',
    'etc.': 'etcétera',
  },
}
