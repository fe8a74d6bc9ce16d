// Numbers, amounts, times and dates as they are said in Hindi.
import type { NumberWords } from './written-forms.ts'

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

const parts = [
  [10_000_000, 'करोड़'],
  [100_000, 'लाख'],
  [1_000, 'हज़ार'],
  [100, 'सौ'],
] as const

function cardinal(number: number): string {
  if (number < 100) return upToHundred[number] ?? ''
  const [size, name] = parts.find(([least]) => number >= least) ?? parts[3]
  const rest = number % size
  return `${cardinal(Math.floor(number / size))} ${name}${rest === 0 ? '' : ` ${cardinal(rest)}`}`
}

export const hindiNumbers: NumberWords = {
  cardinal,
  ...{ thousands: ',', fraction: '.', fractionWord: 'दशमलव', percent: 'प्रतिशत', minus: 'ऋण', plus: 'प्लस' },
  ...{ and: 'और', at: 'ऐट', dot: 'डॉट', dash: 'डैश', underscore: 'अंडरस्कोर', moneyJoin: '' },
  money: {
    '₹': ['रुपया', 'रुपये', 'पैसे'],
    $: ['डॉलर', 'डॉलर', 'सेंट'],
    '€': ['यूरो', 'यूरो', 'सेंट'],
  },
  time: (hours, minutes) =>
    minutes === 0 ? `${cardinal(hours)} बजे` : `${cardinal(hours)} बजकर ${cardinal(minutes)} मिनट`,
  date: (day, month, year) =>
    [cardinal(day), months[month - 1], year ? cardinal(year) : ''].filter(Boolean).join(' '),
  abbreviations: { 'डॉ.': 'डॉक्टर', 'श्री.': 'श्री' },
}
