// Runs of digits in a text, however they are written: "4242 4242", "four two four two", "double four, oh seven".

export interface DigitRun {
  readonly digits: string
  /** Positions in the text, the end exclusive. */
  readonly start: number
  readonly end: number
  /** Where each digit's word begins and ends. */
  readonly places: readonly { readonly start: number; readonly end: number }[]
}

const english = 'zero one two three four five six seven eight nine'
const others = [
  'null eins zwei drei vier fünf sechs sieben acht neun',
  'cero uno dos tres cuatro cinco seis siete ocho nueve',
  'zéro un deux trois quatre cinq six sept huit neuf',
  'zero uno due tre quattro cinque sei sette otto nove',
  'zero um dois três quatro cinco seis sete oito nove',
]
const teens = 'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ')
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

const spoken = new Map<string, string>()
for (const list of [...others, english])
  for (const [digit, word] of list.split(' ').entries()) spoken.set(word, String(digit))
for (const [place, word] of teens.entries()) spoken.set(word, String(10 + place))
for (const [place, word] of tens.entries()) spoken.set(word, String(20 + 10 * place))
for (const word of ['oh', 'o', 'nil', 'nought', 'zwo']) spoken.set(word, word === 'zwo' ? '2' : '0')

// Words that recognisers write for a digit; they count only between two others.
const misheard: Readonly<Record<string, string>> = {
  to: '2',
  too: '2',
  for: '4',
  fore: '4',
  ate: '8',
  won: '1',
  tree: '3',
  sex: '6',
}
// Words that are said while a number is read out; longer ones end the number.
const between = new Set('uh um er and then dash hyphen space minus slash und y et e'.split(' '))
const times: Readonly<Record<string, number>> = { double: 2, triple: 3 }

interface Token {
  readonly word: string
  readonly start: number
  readonly end: number
}

const tokensOf = (text: string): Token[] =>
  [...text.matchAll(/\p{N}+|[\p{L}\p{M}]+(?:['’][\p{L}]+)?|[^\s\p{L}\p{N}]/gu)].map(({ 0: word, index }) => ({
    word: word.toLowerCase(),
    start: index,
    end: index + word.length,
  }))

const isMark = (word: string): boolean => /^[-–.,/()+:;…]$/.test(word)
const digitsOf = (word: string): string | undefined => (/^\d+$/.test(word) ? word : spoken.get(word))

export function digitRuns(text: string): DigitRun[] {
  const tokens = tokensOf(text)
  const runs: DigitRun[] = []
  for (let at = 0; at < tokens.length; at++) {
    const run = runFrom(tokens, at)
    if (!run) continue
    runs.push(run.run)
    at = run.next - 1
  }
  return runs
}

function runFrom(tokens: readonly Token[], from: number): { run: DigitRun; next: number } | undefined {
  let digits = ''
  let repeat = 1
  let begunBy: number | undefined
  let next = from
  const places: { start: number; end: number }[] = []
  for (let at = from; at < tokens.length; at++) {
    const { word, start, end } = tokens[at] as Token
    const value = digitsOf(word) ?? (digits && followsDigit(tokens, at) ? misheard[word] : undefined)
    if (value !== undefined) {
      const joined = joinTens(digits, places, value, tokens[at - 1])
      if (joined === undefined) {
        digits += value.repeat(repeat)
        for (let n = 0; n < value.length * repeat; n++) places.push({ start: begunBy ?? start, end })
      } else {
        digits = joined
        const last = places.at(-1)
        if (last) last.end = end
      }
      repeat = 1
      begunBy = undefined
      next = at + 1
    } else if (times[word] !== undefined && digitsOf(tokens[at + 1]?.word ?? '') !== undefined) {
      repeat = times[word]
      begunBy = start
    } else if (digits === '' || !(isMark(word) || between.has(word))) break
  }
  const [first] = places
  const last = places.at(-1)
  if (!first || !last) return undefined
  return { run: { digits, start: first.start, end: last.end, places }, next }
}

const followsDigit = (tokens: readonly Token[], at: number): boolean =>
  digitsOf(tokens[at - 1]?.word ?? '') !== undefined && digitsOf(tokens[at + 1]?.word ?? '') !== undefined

/** "forty two" is 42, not 402. */
function joinTens(
  digits: string,
  places: readonly unknown[],
  value: string,
  before: Token | undefined,
): string | undefined {
  const isTens = before !== undefined && tens.includes(before.word)
  const mayJoin = isTens && /^[1-9]$/.test(value) && places.length > 0 && digits.endsWith('0')
  return mayJoin ? `${digits.slice(0, -1)}${value}` : undefined
}

/** The check digit of card numbers (Luhn). */
export function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
