// Numbers, amounts, times and dates as they are said in German.
import { byScales, joined, monthNumbers, type NumberWords } from './number-words.ts'
import type { SpokenRule } from './rule.ts'

const upToTwenty = (
  'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn ' +
  'achtzehn neunzehn'
).split(' ')
const tens = ['', '', 'zwanzig', 'dreißig', 'vierzig', 'fünfzig', 'sechzig', 'siebzig', 'achtzig', 'neunzig']
const months = 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' ')

/** The form inside a compound: "ein" instead of "eins". */
const inCompound = (number: number) => cardinal(number).replace(/eins$/, 'ein')

const cardinal: NumberWords['cardinal'] = byScales(
  [
    [1_000_000, (count) => (count === 1 ? 'eine Million' : `${inCompound(count)} Millionen`)],
    [1_000, (count) => `${count === 1 ? '' : inCompound(count)}tausend`],
    [100, (count) => `${count === 1 ? '' : inCompound(count)}hundert`],
  ],
  (number) => {
    const ten = tens[Math.floor(number / 10)]
    if (!ten) return upToTwenty[number] ?? ''
    return number % 10 === 0 ? ten : `${inCompound(number % 10)}und${ten}`
  },
  (said, restSaid, _, size) => `${said}${size < 1_000_000 ? '' : ' '}${restSaid}`,
)

/** Says a year: 1998 is nineteen hundred and ninety-eight. */
const yearOf = (year: number): string =>
  year >= 1_100 && year < 2_000
    ? `${cardinal(Math.floor(year / 100))}hundert${year % 100 === 0 ? '' : cardinal(year % 100)}`
    : cardinal(year)

const irregular: Readonly<Record<number, string>> = { 1: 'erst', 3: 'dritt', 7: 'siebt', 8: 'acht' }
const ordinalStem = (number: number) => irregular[number] ?? `${cardinal(number)}${number < 20 ? 't' : 'st'}`

// After these words the ordinal is in the dative or the accusative: "am dritten".
const dative =
  /^(?:am|vom|zum|beim|im|den|dem|bis|ab|seit|der|zur|dienstag|montag|mittwoch|donnerstag|freitag|samstag|sonntag)$/i
const afterArticle = /^(?:die|das)$/i

const ordinalAfter = (number: number, before = ''): string => {
  if (before.toLowerCase() === 'der') return `${ordinalStem(number)}e`
  if (dative.test(before)) return `${ordinalStem(number)}en`
  return `${ordinalStem(number)}${afterArticle.test(before) ? 'e' : 'er'}`
}

const feminine =
  /^(?:minuten?|stunden?|wochen?|sekunden?|personen?|nächte?|nacht|fragen?|nummern?|mails?|rechnungen?|million|milliarde|bestellungen?|tonnen?|karten?|seiten?|krone|kronen|kilowattstunden?)$/i

// "im 2. Stock", "der 3. Versuch": a number with a full stop inside of a sentence.
const ordinalRule: SpokenRule = [
  /((?:(?<!\p{L})\p{L}+\s)?)(?<![\d.,])(\d{1,2})\.(?=\s(?!(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b)\p{Lu}\p{L}+\s*(?:\p{Ll}|[,;?!]|\.|$))(?=\s(?:Stock|Etage|Versuch|Mal|Platz|Termin|Klasse|Quartal|Rate|Mahnung|Person|Tag|Woche|Monat|Jahr|Halbjahr|Teil|Zahlung|Impfung|Stunde|Reihe|Gang))/gu,
  (_, head = '', written = '') => `${head}${ordinalAfter(Number(written), head.trim())}`,
]

// A rule for dates with the month in figures too: "am 3.4."
const shortDate: SpokenRule = [
  /((?:am|vom|zum|bis|ab|den|seit)\s(?:zum\s)?)(\d{1,2})\.(\d{1,2})\.(?!\d)/giu,
  (match, head = '', day = '', month = '') =>
    Number(month) >= 1 && Number(month) <= 12
      ? `${head}${ordinalStem(Number(day))}en ${months[Number(month) - 1]}`
      : match,
]

// A rule for times such as "um 8.05 Uhr".
const dottedTime: SpokenRule = [
  /(?<![\d.])(\d{1,2})\.(\d{2})(?=\sUhr(?!\p{L}))/gu,
  (_, hours, minutes) => `${hours}:${minutes}`,
]
const street: SpokenRule = [/(?<=\p{Ll})str\.(?=\s\d)/gu, () => 'straße']

export const germanNumbers: NumberWords = {
  cardinal,
  counted(said, noun) {
    if (said !== 'eins') return said
    return feminine.test(noun) ? 'eine' : 'ein'
  },
  thousands: '.',
  fraction: ',',
  fractionWord: 'Komma',
  percent: 'Prozent',
  minus: 'minus',
  plus: 'plus',
  and: 'und',
  at: 'ät',
  dot: 'Punkt',
  dash: 'Minus',
  underscore: 'Unterstrich',
  slash: 'Schrägstrich',
  moneyJoin: '',
  to: 'bis',
  between: 'zwischen',
  numberWord: 'Nummer',
  scales: {
    words: ['Tausend', 'Million', 'Millionen', 'Milliarde', 'Milliarden', 'Mio.', 'Mrd.'],
    join: (currency) => currency,
  },
  money: {
    '€|EUR': ['Euro', 'Euro', '', 'Cent'],
    '$|USD': ['Dollar', 'Dollar', '', 'Cent'],
    CHF: ['Franken', 'Franken', '', 'Rappen'],
    '£': ['Pfund', 'Pfund', '', 'Pence'],
  },
  time: (hours, minutes) => `${inCompound(hours)} Uhr${minutes === 0 ? '' : ` ${cardinal(minutes)}`}`,
  hourSigns: 'Uhr|h',
  halves: ['morgens', 'nachmittags'],
  date: (day, month, year, before) =>
    joined(ordinalAfter(day, before), months[month - 1], year ? yearOf(year) : ''),
  months: {
    join: '',
    names: {
      ...monthNumbers(months),
      jänner: 1,
      jan: 1,
      feb: 2,
      apr: 4,
      aug: 8,
      sept: 9,
      okt: 10,
      nov: 11,
      dez: 12,
    },
  },
  units: {
    km: ['Kilometer', 'Kilometer'],
    'km/h': ['Stundenkilometer', 'Stundenkilometer'],
    m: ['Meter', 'Meter'],
    cm: ['Zentimeter', 'Zentimeter'],
    mm: ['Millimeter', 'Millimeter'],
    'm²|qm': ['Quadratmeter', 'Quadratmeter'],
    kg: ['Kilo', 'Kilo'],
    g: ['Gramm', 'Gramm'],
    mg: ['Milligramm', 'Milligramm'],
    l: ['Liter', 'Liter'],
    ml: ['Milliliter', 'Milliliter'],
    '°C|°': ['Grad', 'Grad'],
    'Min.|min': ['Minute', 'Minuten'],
    'Std.': ['Stunde', 'Stunden'],
    GB: ['Gigabyte', 'Gigabyte'],
    MB: ['Megabyte', 'Megabyte'],
    kWh: ['Kilowattstunde', 'Kilowattstunden'],
  },
  fractions: {
    '1/2|½': 'ein halb',
    '1/3': 'ein Drittel',
    '1/4|¼': 'ein Viertel',
    '24/7': 'rund um die Uhr',
    '3/4|¾': 'drei Viertel',
  },
  letterNames: 'A Be Ce De E Eff Ge Ha I Jott Ka Ell Emm Enn O Pe Ku Err Ess Te U Vau We Ix Ypsilon Zett',
  identifiers:
    'code|pin|kundennummer|bestellnummer|auftragsnummer|rechnungsnummer|vertragsnummer|aktenzeichen|buchungsnummer|durchwahl|postleitzahl|plz|nummer|endziffern|kontonummer|referenz',
  own: [shortDate, ordinalRule, dottedTime, street],
  abbreviations: {
    'hr.': 'Herr',
    'fr.': 'Frau',
    'dr.': 'Doktor',
    'prof.': 'Professor',
    'z. b.|z.b.': 'zum Beispiel',
    'd. h.|d.h.': 'das heißt',
    'usw.': 'und so weiter',
    'bzw.': 'beziehungsweise',
    'ca.': 'circa',
    'ggf.': 'gegebenenfalls',
    'inkl.': 'inklusive',
    'zzgl.': 'zuzüglich',
    'mwst.': 'Mehrwertsteuer',
    'tel.': 'Telefon',
    'str.': 'Straße',
    plz: 'Postleitzahl',
    'nr.': 'Nummer',
    'evtl.': 'eventuell',
    'u. a.': 'unter anderem',
    gmbh: 'Ge Em Be Ha',
  },
}
