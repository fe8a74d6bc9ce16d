// Numbers, amounts, times and dates as they are said in Italian.
import { byScales, joined, monthNumbers, type NumberWords } from './number-words.ts'

const upToTwenty = (
  'zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici ' +
  'diciassette diciotto diciannove'
).split(' ')
const tens = '  venti trenta quaranta cinquanta sessanta settanta ottanta novanta'.split(' ')
const months =
  'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre'.split(' ')

function belowHundred(number: number): string {
  const ten = tens[Math.floor(number / 10)] ?? ''
  const unit = number % 10
  if (unit === 0) return ten
  // The vowel is dropped before uno and otto; a final tre takes an accent.
  return `${unit === 1 || unit === 8 ? ten.slice(0, -1) : ten}${unit === 3 ? 'tré' : upToTwenty[unit]}`
}

const cardinal: NumberWords['cardinal'] = byScales(
  [
    [1_000_000, (count) => (count === 1 ? 'un milione' : `${cardinal(count)} milioni`)],
    [1_000, (count) => (count === 1 ? 'mille' : `${cardinal(count)} mila`)],
    [100, (count) => (count === 1 ? 'cento' : `${cardinal(count)}cento`)],
  ],
  (number) => upToTwenty[number] ?? belowHundred(number),
)

const ordinals = 'primo secondo terzo quarto quinto sesto settimo ottavo nono decimo'.split(' ')
const isFeminine = (noun: string) =>
  /(?:[^i]a|zione|gione|tà|notte|parte|volta|chiave|mail)$/iu.test(noun) &&
  !/^(?:euro|problema|programma|sistema)$/iu.test(noun)

/** A number before a noun: "un giorno", "una persona", "uno studente"; "ventun giorni". */
function beforeNoun(said: string, noun: string): string {
  if (said === 'uno') {
    if (isFeminine(noun)) return /^[aeiou]/iu.test(noun) ? "un'" : 'una'
    return /^(?:s[^aeiouàèéìòù]|z|gn|ps|x|y)/iu.test(noun) ? 'uno' : 'un'
  }
  return said.replace(/uno$/, 'un')
}

export const italianNumbers: NumberWords = {
  cardinal,
  ordinal(number, feminine) {
    const said =
      ordinals[number - 1] ??
      `${cardinal(number)
        .replace(/[aeio]$/, '')
        .replace(/tré$/, 'tre')}esimo`
    return feminine ? said.replace(/o$/, 'a') : said
  },
  counted: beforeNoun,
  thousands: '.',
  fraction: ',',
  fractionWord: 'virgola',
  percent: 'per cento',
  minus: 'meno',
  plus: 'più',
  and: 'e',
  at: 'chiocciola',
  dot: 'punto',
  dash: 'trattino',
  underscore: 'trattino basso',
  slash: 'barra',
  moneyJoin: 'e',
  to: 'a',
  between: 'tra|fra',
  numberWord: 'numero',
  scales: { words: ['mila', 'milione', 'milioni', 'miliardi'], join: (currency) => `di ${currency}` },
  money: {
    '€|EUR': ['euro', 'euro', '', 'centesimi'],
    '$|USD': ['dollaro', 'dollari', '', 'centesimi'],
    CHF: ['franco svizzero', 'franchi svizzeri', '', 'centesimi'],
    '£': ['sterlina', 'sterline', '', 'penny'],
  },
  time(hours, minutes) {
    const hour = hours === 1 ? 'una' : cardinal(hours)
    if (minutes === 0) return hour
    if (minutes === 15 && hours <= 12) return `${hour} e un quarto`
    return minutes === 30 && hours <= 12 ? `${hour} e mezza` : `${hour} e ${cardinal(minutes)}`
  },
  hourSigns: 'h',
  halves: ['di mattina', 'di pomeriggio'],
  date: (day, month, year) =>
    joined(day === 1 ? 'primo' : cardinal(day), months[month - 1], year ? cardinal(year) : ''),
  months: { join: '', names: monthNumbers(months) },
  units: {
    km: ['chilometro', 'chilometri'],
    'km/h': ['chilometro orario', 'chilometri orari'],
    m: ['metro', 'metri'],
    cm: ['centimetro', 'centimetri'],
    mm: ['millimetro', 'millimetri'],
    'm²|mq': ['metro quadro', 'metri quadri'],
    kg: ['chilo', 'chili'],
    g: ['grammo', 'grammi'],
    mg: ['milligrammo', 'milligrammi'],
    l: ['litro', 'litri'],
    ml: ['millilitro', 'millilitri'],
    '°C|°': ['grado', 'gradi'],
    h: ['ora', 'ore'],
    min: ['minuto', 'minuti'],
    s: ['secondo', 'secondi'],
    GB: ['giga', 'giga'],
    MB: ['mega', 'mega'],
    kWh: ['chilowattora', 'chilowattora'],
  },
  fractions: {
    '1/2|½': 'mezzo',
    '1/3': 'un terzo',
    '1/4|¼': 'un quarto',
    '24/7': 'ventiquattro ore su ventiquattro',
    '3/4|¾': 'tre quarti',
  },
  letterNames:
    'a bi ci di e effe gi acca i i_lunga cappa elle emme enne o pi cu erre esse ti u vu doppia_vu ics ipsilon zeta',
  identifiers:
    'codic[ei]|pin|ordine|prenotazione|riferimento|pratica|contratto|fattura|conto|interno|postale|cliente|polizza',
  abbreviations: {
    'sig.': 'signor',
    'sig.ra': 'signora',
    'sig.na': 'signorina',
    'dott.': 'dottor',
    'dott.ssa': 'dottoressa',
    'ing.': 'ingegner',
    'avv.': 'avvocato',
    'prof.': 'professor',
    'prof.ssa': 'professoressa',
    'tel.': 'telefono',
    'ecc.': 'eccetera',
    'p.zza': 'piazza',
    'v.le': 'viale',
    'c.so': 'corso',
    'ca.': 'circa',
    'p. es.': 'per esempio',
  },
}
