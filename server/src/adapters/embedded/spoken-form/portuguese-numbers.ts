// Numbers, amounts, times and dates as they are said in Brazil.
import type { NumberWords } from './written-forms.ts'

const upToTwenty = (
  'zero um dois três quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezesseis dezessete dezoito ' +
  'dezenove'
).split(' ')
const tens = ['', '', 'vinte', 'trinta', 'quarenta', 'cinquenta', 'sessenta', 'setenta', 'oitenta', 'noventa']
const hundreds =
  ' cento duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos'.split(' ')
const months =
  'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro'.split(' ')

function cardinal(number: number): string {
  if (number < 20) return upToTwenty[number] ?? ''
  if (number < 100) return and(tens[Math.floor(number / 10)] ?? '', number % 10)
  if (number === 100) return 'cem'
  if (number < 1_000) return and(hundreds[Math.floor(number / 100)] ?? '', number % 100)
  if (number < 1_000_000) {
    const thousands = Math.floor(number / 1_000)
    return joined(thousands === 1 ? 'mil' : `${cardinal(thousands)} mil`, number % 1_000)
  }
  const millions = Math.floor(number / 1_000_000)
  return joined(millions === 1 ? 'um milhão' : `${cardinal(millions)} milhões`, number % 1_000_000)
}

const and = (said: string, rest: number) => (rest === 0 ? said : `${said} e ${cardinal(rest)}`)
/** "mil e duzentos", "mil duzentos e dez". */
const joined = (said: string, rest: number) =>
  rest === 0 || rest < 100 || rest % 100 === 0 ? and(said, rest) : `${said} ${cardinal(rest)}`

const hourOf = (hours: number) => cardinal(hours).replace(/um$/, 'uma').replace(/dois$/, 'duas')

export const portugueseNumbers: NumberWords = {
  cardinal,
  ...{
    thousands: '.',
    fraction: ',',
    fractionWord: 'vírgula',
    percent: 'por cento',
    minus: 'menos',
    plus: 'mais',
  },
  ...{ and: 'e', at: 'arroba', dot: 'ponto', dash: 'hífen', underscore: 'sublinhado', moneyJoin: 'e' },
  money: {
    R$: ['real', 'reais', 'centavos'],
    '€': ['euro', 'euros', 'centavos'],
    $: ['dólar', 'dólares', 'centavos'],
    '£': ['libra', 'libras', ''],
  },
  time: (hours, minutes) => {
    const hour = `${hourOf(hours)} ${hours === 1 ? 'hora' : 'horas'}`
    if (minutes === 0) return hour
    return minutes === 30 ? `${hourOf(hours)} e meia` : `${hour} e ${cardinal(minutes)}`
  },
  date: (day, month, year) =>
    [
      day === 1 ? 'primeiro' : cardinal(day),
      `de ${months[month - 1] ?? ''}`,
      year ? `de ${cardinal(year)}` : '',
    ]
      .filter(Boolean)
      .join(' '),
  abbreviations: {
    'sr.': 'senhor',
    'sra.': 'senhora',
    'dr.': 'doutor',
    'dra.': 'doutora',
    'av.': 'avenida',
    'tel.': 'telefone',
    'etc.': 'etcétera',
  },
}
