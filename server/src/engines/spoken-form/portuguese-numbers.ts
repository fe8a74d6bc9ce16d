// Numbers, amounts, times and dates as they are said in Brazil.
import { byScales, joined, monthNumbers, type NumberWords } from './number-words.ts'

const upToTwenty = (
  'zero um dois três quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezesseis dezessete dezoito ' +
  'dezenove'
).split(' ')
const tens = ['', '', 'vinte', 'trinta', 'quarenta', 'cinquenta', 'sessenta', 'setenta', 'oitenta', 'noventa']
const hundreds =
  ' cento duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos'.split(' ')
const months =
  'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro'.split(' ')

const cardinal: NumberWords['cardinal'] = byScales(
  [
    [1_000_000, (count) => (count === 1 ? 'um milhão' : `${cardinal(count)} milhões`)],
    [1_000, (count) => (count === 1 ? 'mil' : `${cardinal(count)} mil`)],
    [100, (count, rest) => (count === 1 && rest === 0 ? 'cem' : (hundreds[count] ?? ''))],
  ],
  (number) =>
    upToTwenty[number] ??
    joined(tens[Math.floor(number / 10)], number % 10 ? `e ${upToTwenty[number % 10]}` : ''),
  // "mil e duzentos", "mil duzentos e dez".
  (said, restSaid, rest, size) =>
    `${said}${size === 100 || rest < 100 || rest % 100 === 0 ? ' e' : ''} ${restSaid}`,
)

const hourOf = (hours: number) => cardinal(hours).replace(/um$/, 'uma').replace(/dois$/, 'duas')

const ordinals = 'primeiro segundo terceiro quarto quinto sexto sétimo oitavo nono décimo'.split(' ')
const isFeminine = (noun: string) =>
  /(?:as?|ção|ções|dade|dades|vez|vezes|noite|noites|tarde|tardes|mão|chave|chaves|libras)$/iu.test(noun) &&
  !/^(?:dias?|para|problemas?|(?:mili|quilo)?gramas?|programas?|sistemas?|mapas?|idiomas?)$/iu.test(noun)

export const portugueseNumbers: NumberWords = {
  cardinal,
  ordinal(number, feminine) {
    const said = ordinals[number - 1] ?? cardinal(number)
    return feminine ? said.replace(/o$/, 'a') : said
  },
  counted: (said, noun) =>
    isFeminine(noun)
      ? said
          .replace(/(?<=^| )um$/, 'uma')
          .replace(/(?<=^| )dois$/, 'duas')
          .replace(/entos(?= |$)/g, 'entas')
      : said,
  thousands: '.',
  fraction: ',',
  fractionWord: 'vírgula',
  percent: 'por cento',
  minus: 'menos',
  plus: 'mais',
  and: 'e',
  at: 'arroba',
  dot: 'ponto',
  dash: 'hífen',
  underscore: 'sublinhado',
  slash: 'barra',
  moneyJoin: 'e',
  to: 'a',
  between: 'entre',
  numberWord: 'número',
  scales: { words: ['mil', 'milhão', 'milhões', 'bilhões'], join: (currency) => `de ${currency}` },
  money: {
    'R$|BRL': ['real', 'reais', 'centavos'],
    '€|EUR': ['euro', 'euros', 'centavos', 'cêntimos'],
    '$|US$': ['dólar', 'dólares', 'centavos'],
    '£': ['libra', 'libras', '', 'pence'],
  },
  time: (hours, minutes) => {
    const hour = `${hourOf(hours)} ${hours === 1 ? 'hora' : 'horas'}`
    if (minutes === 0) return hour
    return minutes === 30 ? `${hourOf(hours)} e meia` : `${hour} e ${cardinal(minutes)}`
  },
  hourSigns: 'horas|hs|h',
  halves: ['da manhã', 'da tarde'],
  date: (day, month, year) =>
    joined(
      day === 1 ? 'primeiro' : cardinal(day),
      `de ${months[month - 1] ?? ''}`,
      year ? `de ${cardinal(year)}` : '',
    ),
  months: { join: 'de', names: monthNumbers(months) },
  units: {
    km: ['quilômetro', 'quilômetros'],
    'km/h': ['quilômetro por hora', 'quilômetros por hora'],
    m: ['metro', 'metros'],
    cm: ['centímetro', 'centímetros'],
    mm: ['milímetro', 'milímetros'],
    'm²|m2': ['metro quadrado', 'metros quadrados'],
    kg: ['quilo', 'quilos'],
    g: ['grama', 'gramas'],
    mg: ['miligrama', 'miligramas'],
    l: ['litro', 'litros'],
    ml: ['mililitro', 'mililitros'],
    '°C|°': ['grau', 'graus'],
    h: ['hora', 'horas'],
    min: ['minuto', 'minutos'],
    s: ['segundo', 'segundos'],
    GB: ['giga', 'gigas'],
    MB: ['mega', 'megas'],
    kWh: ['quilowatt-hora', 'quilowatts-hora'],
  },
  fractions: {
    '1/2|½': 'meio',
    '1/3': 'um terço',
    '1/4|¼': 'um quarto',
    '24/7': 'vinte e quatro horas por dia',
    '3/4|¾': 'três quartos',
  },
  letterNames:
    'a bê cê dê e efe gê agá i jota cá ele eme ene o pê quê erre esse tê u vê dáblio xis ípsilon zê',
  identifiers:
    'códigos?|pin|senha|pedido|reserva|referência|protocolo|contrato|fatura|conta|ramal|cep|cpf|apólice|final',
  // On the telephone six is "meia", so that it is not taken for three.
  figure: (figure) => (figure === 6 ? 'meia' : cardinal(figure)),
  abbreviations: {
    'sr.': 'senhor',
    'sra.': 'senhora',
    'srs.': 'senhores',
    'dr.': 'doutor',
    'dra.': 'doutora',
    'prof.': 'professor',
    'profa.': 'professora',
    'av.': 'avenida',
    'r.': 'rua',
    'apto.': 'apartamento',
    'tel.': 'telefone',
    'etc.': 'etcétera',
    'aprox.': 'aproximadamente',
    'p. ex.': 'por exemplo',
    'ltda.': 'limitada',
  },
}
