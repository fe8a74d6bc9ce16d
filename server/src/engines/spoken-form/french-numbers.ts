// Numbers, amounts, times and dates as they are said in France.
import { byScales, joined, monthNumbers, type NumberWords } from './number-words.ts'

const upToTwenty =
  'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf'.split(
    ' ',
  )
const tens = '  vingt trente quarante cinquante soixante soixante quatre-vingt quatre-vingt'.split(' ')
const months = 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(
  ' ',
)

const cardinal: NumberWords['cardinal'] = byScales(
  [
    [1_000_000, (count) => `${cardinal(count)} ${count === 1 ? 'million' : 'millions'}`],
    [1_000, (count) => (count === 1 ? 'mille' : `${cardinal(count)} mille`)],
    [100, (count) => (count === 1 ? 'cent' : `${cardinal(count)} cent`)],
  ],
  (number) => upToTwenty[number] ?? belowHundred(number),
)

/** Says numbers below a hundred: seventy and ninety count on from sixty and eighty. */
function belowHundred(number: number): string {
  const ten = Math.floor(number / 10)
  const said = tens[ten] ?? ''
  const rest = number - (ten === 7 || ten === 9 ? ten - 1 : ten) * 10
  if (rest === 0) return said
  return (rest === 1 || rest === 11) && ten < 8
    ? `${said} et ${upToTwenty[rest]}`
    : `${said} ${upToTwenty[rest]}`
}

const isFeminine = (noun: string) =>
  /^(?:heures?|minutes?|secondes?|journées?|semaines?|années?|personnes?|fois|nuits?|places?|chambres?|pages?|tables?|livres sterling|tonnes?|livres?)$/iu.test(
    noun,
  )

const ordinals: Readonly<Record<number, string>> = { 5: 'cinquième', 9: 'neuvième' }

export const frenchNumbers: NumberWords = {
  cardinal,
  ordinal(number, feminine) {
    if (number === 1) return feminine ? 'première' : 'premier'
    if (number === 2 && feminine) return 'seconde'
    return (
      ordinals[number] ??
      `${cardinal(number).replace(/e$/, '').replace(/neuf$/, 'neuv').replace(/cinq$/, 'cinqu')}ième`
    )
  },
  counted: (said, noun) => (isFeminine(noun) ? said.replace(/(?<=^| )un$/, 'une') : said),
  thousands: ' ',
  fraction: ',',
  fractionWord: 'virgule',
  percent: 'pour cent',
  minus: 'moins',
  plus: 'plus',
  and: 'et',
  at: 'arobase',
  dot: 'point',
  dash: 'tiret',
  underscore: 'tiret bas',
  slash: 'barre',
  moneyJoin: '',
  to: 'à',
  between: 'entre',
  numberWord: 'numéro',
  dictatesPairs: true,
  scales: {
    words: ['million', 'millions', 'milliard', 'milliards'],
    join: (currency) => `${/^[aeiou]/.test(currency) ? "d'" : 'de '}${currency}`,
  },
  money: {
    '€|EUR': ['euro', 'euros', '', 'centimes'],
    '$|USD': ['dollar', 'dollars', '', 'cents'],
    CHF: ['franc suisse', 'francs suisses', '', 'centimes'],
    '£': ['livre', 'livres', '', 'pence'],
  },
  time(hours, minutes) {
    const hour = hours === 1 ? 'une heure' : `${cardinal(hours).replace(/(?<=^| )un$/, 'une')} heures`
    return minutes === 0
      ? hour
      : `${hour} ${minutes < 10 ? 'zéro ' : ''}${cardinal(minutes).replace(/(?<=^| )un$/, 'une')}`
  },
  hourSigns: 'heures?|h',
  halves: ['du matin', "de l'après-midi"],
  date: (day, month, year) =>
    joined(day === 1 ? 'premier' : cardinal(day), months[month - 1], year ? cardinal(year) : ''),
  months: {
    join: '',
    names: {
      ...monthNumbers(months),
      'janv.': 1,
      'févr.': 2,
      'avr.': 4,
      'juil.': 7,
      'sept.': 9,
      'oct.': 10,
      'nov.': 11,
      'déc.': 12,
    },
  },
  units: {
    km: ['kilomètre', 'kilomètres'],
    'km/h': ['kilomètre heure', 'kilomètres heure'],
    m: ['mètre', 'mètres'],
    cm: ['centimètre', 'centimètres'],
    mm: ['millimètre', 'millimètres'],
    'm²|m2': ['mètre carré', 'mètres carrés'],
    kg: ['kilo', 'kilos'],
    g: ['gramme', 'grammes'],
    mg: ['milligramme', 'milligrammes'],
    'l|L': ['litre', 'litres'],
    ml: ['millilitre', 'millilitres'],
    '°C|°': ['degré', 'degrés'],
    h: ['heure', 'heures'],
    min: ['minute', 'minutes'],
    s: ['seconde', 'secondes'],
    Go: ['giga', 'gigas'],
    Mo: ['méga', 'mégas'],
    kWh: ['kilowattheure', 'kilowattheures'],
  },
  fractions: {
    '1/2|½': 'un demi',
    '1/3': 'un tiers',
    '1/4|¼': 'un quart',
    '24/7': 'vingt quatre heures sur vingt quatre et sept jours sur sept',
    '3/4|¾': 'trois quarts',
  },
  letterNames:
    'a bé cé dé e effe gé hache i ji ka elle emme enne o pé ku erre esse té u vé double_vé ixe i_grec zède',
  identifiers: 'codes?|pin|commande|réservation|référence|dossier|contrat|facture|compte|poste|postal|client',
  abbreviations: {
    'm.': 'monsieur',
    'mme|mme.': 'madame',
    mlle: 'mademoiselle',
    'mm.': 'messieurs',
    'dr|dr.': 'docteur',
    'pr.': 'professeur',
    'tél.': 'téléphone',
    'etc.': 'et cétéra',
    'av.': 'avenue',
    'bd.|bd': 'boulevard',
    'env.': 'environ',
    rdv: 'rendez-vous',
    'svp|s.v.p.': "s'il vous plaît",
    'p. ex.': 'par exemple',
  },
}
