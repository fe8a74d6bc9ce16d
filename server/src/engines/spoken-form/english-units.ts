// Units of measurement behind a number.
import { numeral } from './english-numbers.ts'
import type { SpokenRule } from './rule.ts'

const plain = (one: string, many = `${one}s`): readonly [string, string] => [one, many]

const units: Readonly<Record<string, readonly [one: string, many: string]>> = {
  kg: plain('kilogram'),
  kgs: plain('kilogram'),
  g: plain('gram'),
  mg: plain('milligram'),
  mcg: plain('microgram'),
  lb: plain('pound'),
  lbs: plain('pound'),
  oz: plain('ounce'),
  km: plain('kilometer'),
  m: plain('meter'),
  cm: plain('centimeter'),
  mm: plain('millimeter'),
  mi: plain('mile'),
  ft: plain('foot', 'feet'),
  yd: plain('yard'),
  yds: plain('yard'),
  'in.': plain('inch', 'inches'),
  'sq ft': plain('square foot', 'square feet'),
  'sq. ft.': plain('square foot', 'square feet'),
  sqft: plain('square foot', 'square feet'),
  'm²': plain('square meter'),
  m2: plain('square meter'),
  'km²': plain('square kilometer'),
  l: plain('liter'),
  L: plain('liter'),
  ml: plain('milliliter'),
  mL: plain('milliliter'),
  gal: plain('gallon'),
  tbsp: plain('tablespoon'),
  tsp: plain('teaspoon'),
  KB: plain('kilobyte'),
  kB: plain('kilobyte'),
  MB: plain('megabyte'),
  GB: plain('gigabyte'),
  TB: plain('terabyte'),
  Mbps: plain('megabit per second', 'megabits per second'),
  Gbps: plain('gigabit per second', 'gigabits per second'),
  'MB/s': plain('megabyte per second', 'megabytes per second'),
  Hz: plain('hertz', 'hertz'),
  kHz: plain('kilohertz', 'kilohertz'),
  MHz: plain('megahertz', 'megahertz'),
  GHz: plain('gigahertz', 'gigahertz'),
  W: plain('watt'),
  kW: plain('kilowatt'),
  kWh: plain('kilowatt hour'),
  V: plain('volt'),
  mAh: plain('milliamp hour'),
  dB: plain('decibel'),
  mph: plain('mile per hour', 'miles per hour'),
  'km/h': plain('kilometer per hour', 'kilometers per hour'),
  kph: plain('kilometer per hour', 'kilometers per hour'),
  mpg: plain('mile per gallon', 'miles per gallon'),
  rpm: plain('revolution per minute', 'revolutions per minute'),
  h: plain('hour'),
  hr: plain('hour'),
  hrs: plain('hour'),
  min: plain('minute'),
  mins: plain('minute'),
  s: plain('second'),
  sec: plain('second'),
  secs: plain('second'),
  ms: plain('millisecond'),
  wk: plain('week'),
  wks: plain('week'),
  yr: plain('year'),
  yrs: plain('year'),
  yo: plain('year old', 'years old'),
  '°C': plain('degree Celsius', 'degrees Celsius'),
  '°F': plain('degree Fahrenheit', 'degrees Fahrenheit'),
  '° C': plain('degree Celsius', 'degrees Celsius'),
  '° F': plain('degree Fahrenheit', 'degrees Fahrenheit'),
  '°': plain('degree'),
  ºC: plain('degree Celsius', 'degrees Celsius'),
  ºF: plain('degree Fahrenheit', 'degrees Fahrenheit'),
  '%': plain('percent', 'percent'),
}
const longestFirst = Object.keys(units)
  // Capitals are units only without a space: "10 W 5th Street".
  .filter((name) => !/^[A-Z]$/.test(name))
  .toSorted((a, b) => b.length - a.length)
  .map((name) => name.replaceAll('.', '\\.'))
  .join('|')

const scaled: Readonly<Record<string, string>> = {
  k: 'thousand',
  K: 'thousand',
  M: 'million',
  bn: 'billion',
}

const number = '(?<![\\w.,])(-?\\d[\\d,]*(?:\\.\\d+)?)'

export const unitRules: readonly SpokenRule[] = [
  [/(?<=\d)\s?[x×]\s?(?=\d)/g, () => ' by '],
  [/(?<=\d)[x×]\b/g, () => ' times'],
  [
    /\b(\d{1,2}) ?h ?(\d{1,2}) ?(?:m|min|mins)?\b/g,
    (_, hours = '', minutes = '') => `${hours} hr ${minutes} min`,
  ],
  [
    /(?<![\w.,])(\d{1,2})['′] ?(\d{1,2})(?:["″]|'')?(?!\w)/g,
    (_, feet = '', inches = '') => `${feet} ft ${inches}`,
  ],
  [
    new RegExp(`${number}(?:[ -]?(${longestFirst})|(W|V|L))(?![\\w²])(?:\\.(?=\\s+\\S))?`, 'g'),
    (match, count, unit, attached) => measure(count, unit ?? attached) ?? match,
  ],
  [
    new RegExp(`${number}(k|K|M|bn)\\b`, 'g'),
    (_, count = '', scale = '') => `${numeral(count)} ${scaled[scale] ?? ''}`,
  ],
]

function measure(written = '', name = ''): string | undefined {
  const unit = units[name]
  if (!unit) return undefined
  const [one, many] = unit
  return `${numeral(written)} ${/^-?1$/.test(written) ? one : many}`
}
