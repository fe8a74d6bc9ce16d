// Numbers, amounts, times and dates as they are said in Hindi.
import { byScales, joined, monthNumbers, type NumberWords } from './number-words.ts'
import type { SpokenRule } from './rule.ts'

// Every number up to a hundred has a name of its own.
const upToHundred = (
  'शून्य एक दो तीन चार पाँच छह सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह सोलह सत्रह अठारह उन्नीस बीस इक्कीस बाईस तेईस चौबीस ' +
  'पच्चीस छब्बीस सत्ताईस अट्ठाईस उनतीस तीस इकतीस बत्तीस तैंतीस चौंतीस पैंतीस छत्तीस सैंतीस अड़तीस उनतालीस चालीस इकतालीस ' +
  'बयालीस तैंतालीस चौवालीस पैंतालीस छियालीस सैंतालीस अड़तालीस उनचास पचास इक्यावन बावन तिरेपन चौवन पचपन छप्पन सत्तावन ' +
  'अट्ठावन उनसठ साठ इकसठ बासठ तिरसठ चौंसठ पैंसठ छियासठ सड़सठ अड़सठ उनहत्तर सत्तर इकहत्तर बहत्तर तिहत्तर चौहत्तर पचहत्तर ' +
  'छिहत्तर सतहत्तर अठहत्तर उन्यासी अस्सी इक्यासी बयासी तिरासी चौरासी पचासी छियासी सत्तासी अट्ठासी नवासी नब्बे इक्यानवे बानवे ' +
  'तिरानवे चौरानवे पचानवे छियानवे सत्तानवे अट्ठानवे निन्यानवे'
).split(' ')
const months = 'जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर'.split(' ')

const cardinal: NumberWords['cardinal'] = byScales(
  [
    [10_000_000, (count) => `${cardinal(count)} करोड़`],
    [100_000, (count) => `${cardinal(count)} लाख`],
    [1_000, (count) => `${cardinal(count)} हज़ार`],
    [100, (count, rest) => (count === 1 && rest === 0 ? 'सौ' : `${cardinal(count)} सौ`)],
  ],
  (number) => upToHundred[number] ?? '',
)

const ordinals = 'पहला दूसरा तीसरा चौथा पाँचवाँ छठा सातवाँ आठवाँ नौवाँ दसवाँ'.split(' ')
// Says halves, which have names of their own: "ढाई लाख", "डेढ़ किलो", "साढ़े तीन घंटे".
const halved = (whole: number): string => {
  if (whole === 0) return 'आधा'
  if (whole === 1) return 'डेढ़'
  return whole === 2 ? 'ढाई' : `साढ़े ${cardinal(whole)}`
}
const afterHalf = 'लाख|करोड़|हज़ार|हजार|किलो|लीटर|घंटे|घंटा|साल|महीने|दिन'
const halves: readonly SpokenRule[] = [
  [
    /(?:₹|Rs\.?)\s?(\d{1,2})\.5\s(लाख|करोड़|हज़ार|हजार)/gu,
    (_, whole = '', scale = '') => `${halved(Number(whole))} ${scale} रुपये`,
  ],
  [
    new RegExp(`(?<![\\d.,])(\\d{1,2})\\.5(?=\\s(?:${afterHalf}))`, 'gu'),
    (_, whole = '') => halved(Number(whole)),
  ],
]
const devanagari = '०१२३४५६७८९'

export const hindiNumbers: NumberWords = {
  cardinal,
  ordinal: (number) => ordinals[number - 1] ?? `${cardinal(number)}वाँ`,
  thousands: ',',
  fraction: '.',
  fractionWord: 'दशमलव',
  percent: 'प्रतिशत',
  minus: 'माइनस',
  plus: 'प्लस',
  and: 'और',
  at: 'ऐट',
  dot: 'डॉट',
  dash: 'डैश',
  underscore: 'अंडरस्कोर',
  slash: 'स्लैश',
  moneyJoin: '',
  to: 'से',
  numberWord: 'नंबर',
  grouped: '\\d{1,2}(?:,\\d{2}){0,8},\\d{3}|\\d{1,3}(?:,\\d{3}){1,8}',
  scales: { words: ['हज़ार', 'हजार', 'लाख', 'करोड़', 'मिलियन'], join: (currency) => currency },
  money: {
    '₹|Rs.|Rs|रु.|रुपये|रुपए|INR': ['रुपया', 'रुपये', 'पैसे'],
    $: ['डॉलर', 'डॉलर', 'सेंट'],
    '€': ['यूरो', 'यूरो', 'सेंट'],
  },
  time: clockTime,
  hourSigns: 'बजे',
  halves: ['सुबह', 'शाम'],
  date: (day, month, year) => joined(cardinal(day), months[month - 1], year ? yearOf(year) : ''),
  months: { join: '', names: { ...monthNumbers(months), फरवरी: 2 } },
  units: {
    'km|कि.मी.|किमी': ['किलोमीटर', 'किलोमीटर'],
    m: ['मीटर', 'मीटर'],
    cm: ['सेंटीमीटर', 'सेंटीमीटर'],
    'kg|किग्रा': ['किलो', 'किलो'],
    g: ['ग्राम', 'ग्राम'],
    mg: ['मिलीग्राम', 'मिलीग्राम'],
    l: ['लीटर', 'लीटर'],
    ml: ['मिलीलीटर', 'मिलीलीटर'],
    '°C|°': ['डिग्री', 'डिग्री'],
    min: ['मिनट', 'मिनट'],
    GB: ['जीबी', 'जीबी'],
    MB: ['एमबी', 'एमबी'],
  },
  fractions: {
    '1/2|½': 'आधा',
    '1/4|¼': 'चौथाई',
    '24/7': 'चौबीसों घंटे',
    '3/4|¾': 'पौन',
  },
  letterNames: 'ए बी सी डी ई एफ़ जी एच आई जे के एल एम एन ओ पी क्यू आर एस टी यू वी डब्ल्यू एक्स वाई ज़ेड',
  identifiers: 'कोड|पिन|ओटीपी|ओ टी पी|ऑर्डर|बुकिंग|खाता|अकाउंट|संदर्भ|पॉलिसी|otp|pin|code|order|नंबर',
  // Figures in Devanagari are read like the others.
  own: [[/[०-९]/g, (figure) => String(devanagari.indexOf(figure))], ...halves],
  abbreviations: {
    'डॉ.|dr.': 'डॉक्टर',
    'श्री.': 'श्री',
    'प्रो.': 'प्रोफ़ेसर',
    'कु.': 'कुमारी',
    'पं.': 'पंडित',
    'रु.': 'रुपये',
    'मो.': 'मोबाइल',
    'नं.': 'नंबर',
    'mr.': 'मिस्टर',
    'mrs.': 'मिसेज़',
  },
}

/** Says a time: "साढ़े तीन बजे", "सवा तीन बजे", "पौने चार बजे". */
function clockTime(hours: number, minutes: number): string {
  const hour = hours > 12 ? hours - 12 : hours
  if (minutes === 0) return `${cardinal(hour)} बजे`
  if (minutes === 15) return `सवा ${cardinal(hour)} बजे`
  if (minutes === 30 && hour === 1) return 'डेढ़ बजे'
  if (minutes === 30 && hour === 2) return 'ढाई बजे'
  if (minutes === 30) return `साढ़े ${cardinal(hour)} बजे`
  if (minutes === 45) return `पौने ${cardinal(hour === 12 ? 1 : hour + 1)} बजे`
  return `${cardinal(hour)} बजकर ${cardinal(minutes)} मिनट`
}

/** Says a year: 1947 is nineteen hundred and forty-seven. */
const yearOf = (year: number): string =>
  year >= 1_100 && year < 2_000 && year % 100 !== 0
    ? `${cardinal(Math.floor(year / 100))} सौ ${cardinal(year % 100)}`
    : cardinal(year)
