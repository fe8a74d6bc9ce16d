// Units of measurement behind a number.
import { numeral } from './english-numbers.ts'
import { bySpelling, type SpokenRule } from './rule.ts'

const plain = (one: string, many = `${one}s`): readonly [string, string] => [one, many]

const units = bySpelling({
  'kg|kgs': plain('kilogram'),
  g: plain('gram'),
  mg: plain('milligram'),
  mcg: plain('microgram'),
  'lb|lbs': plain('pound'),
  oz: plain('ounce'),
  km: plain('kilometer'),
  m: plain('meter'),
  cm: plain('centimeter'),
  mm: plain('millimeter'),
  mi: plain('mile'),
  ft: plain('foot', 'feet'),
  'yd|yds': plain('yard'),
  'in.': plain('inch', 'inches'),
  'sq ft|sq. ft.|sqft': plain('square foot', 'square feet'),
  'm²|m2': plain('square meter'),
  'km²': plain('square kilometer'),
  'l|L': plain('liter'),
  'ml|mL': plain('milliliter'),
  gal: plain('gallon'),
  tbsp: plain('tablespoon'),
  tsp: plain('teaspoon'),
  'KB|kB': plain('kilobyte'),
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
  'km/h|kph': plain('kilometer per hour', 'kilometers per hour'),
  mpg: plain('mile per gallon', 'miles per gallon'),
  rpm: plain('revolution per minute', 'revolutions per minute'),
  'h|hr|hrs': plain('hour'),
  'min|mins': plain('minute'),
  's|sec|secs': plain('second'),
  ms: plain('millisecond'),
  'wk|wks': plain('week'),
  'yr|yrs': plain('year'),
  yo: plain('year old', 'years old'),
  '°C|° C|ºC': plain('degree Celsius', 'degrees Celsius'),
  '°F|° F|ºF': plain('degree Fahrenheit', 'degrees Fahrenheit'),
  '°': plain('degree'),
  '%': plain('percent', 'percent'),
})
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
