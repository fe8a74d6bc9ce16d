// English abbreviations: titles, addresses, days and months, business and everyday ones.

import { dayCalled, daysAbbreviated, monthCalled, monthsAbbreviated, timeZones } from './english-dates.ts'
import { letters } from './english-numbers.ts'
import { always, type SpokenRule } from './rule.ts'

// Titles, which need no full stop before a name.
const titles: Readonly<Record<string, string>> = {
  Mr: 'Mister',
  Mrs: 'Missus',
  Ms: 'Miz',
  Dr: 'Doctor',
  Prof: 'Professor',
  Rev: 'Reverend',
  Sgt: 'Sergeant',
  Capt: 'Captain',
  Lt: 'Lieutenant',
  Gov: 'Governor',
  Sen: 'Senator',
}

// Parts of an address, behind a name and only with a capital.
const places: Readonly<Record<string, string>> = {
  Ave: 'Avenue',
  Av: 'Avenue',
  Blvd: 'Boulevard',
  Rd: 'Road',
  Ln: 'Lane',
  Ct: 'Court',
  Pl: 'Place',
  Sq: 'Square',
  Hwy: 'Highway',
  Pkwy: 'Parkway',
  Ter: 'Terrace',
  Co: 'Company',
  Corp: 'Corporation',
  Inc: 'Incorporated',
  Ltd: 'Limited',
  Bros: 'Brothers',
  Jr: 'Junior',
  Sr: 'Senior',
}

const compass: Readonly<Record<string, string>> = {
  N: 'North',
  S: 'South',
  E: 'East',
  W: 'West',
  NW: 'Northwest',
  NE: 'Northeast',
  SW: 'Southwest',
  SE: 'Southeast',
}

const withStop: Readonly<Record<string, string>> = {
  apt: 'apartment',
  bldg: 'building',
  rm: 'room',
  dept: 'department',
  approx: 'approximately',
  appt: 'appointment',
  appts: 'appointments',
  mgr: 'manager',
  asst: 'assistant',
  acct: 'account',
  avg: 'average',
  max: 'maximum',
  min: 'minimum',
  misc: 'miscellaneous',
  incl: 'including',
  excl: 'excluding',
  est: 'estimated',
  govt: 'government',
  tel: 'telephone',
  ext: 'extension',
  ref: 'reference',
  qty: 'quantity',
  temp: 'temperature',
  vs: 'versus',
  etc: 'et cetera',
  hr: 'hour',
  hrs: 'hours',
  mins: 'minutes',
  secs: 'seconds',
  wk: 'week',
  wks: 'weeks',
  yr: 'year',
  yrs: 'years',
  mo: 'month',
  mos: 'months',
  'e.g': 'for example',
  'i.e': 'that is',
  'a.k.a': 'also known as',
}

const anyOf = (table: Readonly<Record<string, string>>) => Object.keys(table).join('|').replaceAll('.', '\\.')

const lookedUp =
  (table: Readonly<Record<string, string>>): SpokenRule[1] =>
  (match, word = '') =>
    table[word] ?? table[word.toLowerCase()] ?? match

export const abbreviationRules: readonly SpokenRule[] = [
  [new RegExp(`\\b(${anyOf(titles)})\\.?(?= (?:[A-Z]|and |& ))`, 'g'), lookedUp(titles)],
  // "Elm Dr." is a street, and so is "Baker St.", unless a saint's name follows a word that is not a name.
  [/(?<=\b[A-Z][a-z]+ )Dr\b\.?(?! [A-Z])/g, always('Drive')],
  [/(?<=\b(?:Mount|Mt\.|Fort|Ft\.|Port|Sault) )St\.(?= [A-Z])/g, always('Saint')],
  [/(?<=(?:\d|\s)\s?[A-Z][a-z]+ |\d(?:st|nd|rd|th) )St\b\.?/g, always('Street')],
  [/\bSt\.?(?= [A-Z][a-z])/g, always('Saint')],
  [/\bSt\.|(?<=[A-Z][a-z]+ )St\b/g, always('Street')],
  [/\bMt\.(?= [A-Z])/g, always('Mount')],
  [/\bFt\.(?= [A-Z])/g, always('Fort')],
  [/\bSte\.?(?= \d)/g, always('suite')],
  [
    /(?<=\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|hundred|[a-z]+ty) )([NSEW])\.?(?= [A-Z0-9])/g,
    (match, way = '') => compass[way] ?? match,
  ],
  [/\bP\.? ?O\.? Box\b/gi, always('P O box')],
  [
    new RegExp(`(?<=(?:[A-Z0-9][\\w']*|&),? )(${anyOf(places)})(?:\\.|(?=,|$| [A-Z0-9]))`, 'g'),
    lookedUp(places),
  ],
  [
    /(?<=(?:Street|Avenue|Road|Drive|Boulevard),? )(NW|NE|SW|SE)\b/g,
    (match, way = '') => compass[way] ?? match,
  ],
  [
    new RegExp(`\\b(${daysAbbreviated})\\.?\\s?-\\s?(${daysAbbreviated})\\b\\.?`, 'g'),
    (_, from = '', to = '') => `${dayCalled(from)} to ${dayCalled(to)}`,
  ],
  [new RegExp(`\\b(${daysAbbreviated})\\.(?=[\\s,])`, 'g'), (_, day = '') => dayCalled(day)],
  [
    new RegExp(`(?<=\\b(?:and|or|to|on|until) )(${daysAbbreviated})\\b`, 'g'),
    (_, day = '') => dayCalled(day),
  ],
  [new RegExp(`\\b(${monthsAbbreviated})\\.`, 'g'), (_, month = '') => monthCalled(month)],
  [new RegExp(`\\b(${monthsAbbreviated})(?= \\d{4}\\b)`, 'g'), (_, month = '') => monthCalled(month)],
  [new RegExp(`\\b(${timeZones})\\b(?<=\\d ?|[ap]\\.?m\\.? |M |[A-Z]{3,4})`, 'g'), (zone) => letters(zone)],
  [new RegExp(`\\b(${anyOf(withStop)})\\.`, 'gi'), lookedUp(withStop)],
  [/\bc\/o\b/gi, always('care of')],
  [/\bw\/o\b/gi, always('without')],
  [/\bw\/ ?(?=\w)/gi, always('with ')],
  [/\b(?:[Nn]os)\.?(?= ?\d)/g, always('numbers')],
  [
    /\b[Nn]o\.(?= ?\d)|(?<=\b(?:policy|order|account|invoice|reference|booking|flight|phone|room|serial) )no\./gi,
    always('number'),
  ],
  // Initials of a name.
  [
    /(?<=^|[A-Z][a-z]+ |[A-Z] )([A-Z])\.(?= [A-Z])(?<!(?:Plan|Option|Grade|Class|Type|Section|Vitamin) [A-Z]\.)/g,
    (_, letter = '') => letters(letter),
  ],
  [/\b(?:[A-Za-z]\.){2,}(?:[A-Za-z]\b)?/g, (run) => letters(run.replaceAll('.', ''))],
]
