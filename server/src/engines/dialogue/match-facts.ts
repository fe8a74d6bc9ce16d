// Finds the fact that answers a question: by shared words and their synonyms, and by meaning if there is an embedder.
import type { Fact } from './brief.ts'
import { digitsIn, withAmounts } from './spoken-number.ts'
import { comparableWords } from './words.ts'

/** The closeness of what was said to what a fact is about. 0: nothing in common; 1: the same. */
export type Closeness = (said: string, about: string) => number

// Below this closeness an answer is as often wrong as right.
const closeEnough = 0.5

const stop = new Set(
  "a an the and or but of to in on at for with from by is are was were be been am do does did have has had can could will would should may i you we they he she it me us my your our their this that these those there here what which who how when where why please tell know just about some any so um uh well okay hi hello want like get got need if as not no yes much many long what's i'm i'd it's you're we're also actually question wondering call calling called about".split(
    ' ',
  ),
)

/** Synonyms in everyday questions. */
const sameAs: readonly (readonly [string, RegExp])[] = [
  ['#open', /^(?:open|opening|close|closed|closing|hours?|schedule)$/],
  [
    '#price',
    /^(?:price|prices|pricing|cost|costs|costing|charge|charges|expensive|cheap|dollars?|euros?|pounds?)$/,
  ],
  [
    '#place',
    /^(?:address|located|location|place|street|avenue|road|directions?|find|floor|building|corner|square)$/,
  ],
  ['#park', /^(?:park|parking|car)$/],
  ['#deliver', /^(?:deliver\w*|arriv\w*|ship\w*|parcel|package)$/],
  ['#return', /^(?:return\w*|refund\w*|exchange)$/],
  ['#insure', /^(?:insur\w*|coverage|plans?)$/],
  ['#owe', /^(?:owe|owed|due|balance|outstanding|amount|invoice|bill)$/],
  ['#child', /^(?:child|children|kids?)$/],
]

/** What each question word asks for, and which facts contain it. */
const expectations: readonly { asks: RegExp; token: string; has: RegExp }[] = [
  {
    asks: /\b(?:when|what time|what day|which day|until when|how late|how early|what hours)\b/,
    token: '#time',
    has: /\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|daily|today|tomorrow|weekdays?|noon|\d{1,2} ?(?:a\.?m|p\.?m)|\d{1,2}:\d{2}|o'?clock|january|february|march|april|june|july|august|september|october|november|december|\d{1,2} to \d{1,2})\b/i,
  },
  { asks: /\bhow long\b/, token: '#span', has: /\b(?:minutes?|hours?|days?|weeks?|months?|years?)\b/i },
  {
    asks: /\bhow much\b|\bprices?\b|\bcosts?\b|\bexpensive\b|\bcharge\b/,
    token: '#price',
    has: /[$€£]|\b(?:dollars?|euros?|pounds?|costs?|prices?)\b/i,
  },
  {
    asks: /\bwhere\b|\baddress\b|\bdirections\b|\bfind you\b|\blocated\b/,
    token: '#place',
    has: /\b(?:street|st\.|avenue|road|square|lane|floor|located|address|behind|next to|opposite|corner|building)\b/i,
  },
]

const stem = (word: string): string => {
  const [token] = sameAs.find(([, pattern]) => pattern.test(word)) ?? []
  return token ?? word.replace(/(?:ing|ies|es|ed|s|'s)$/, '').replace(/(?<=\w{3})[ey]$/, '')
}

const tokensOf = (text: string): Set<string> =>
  new Set(
    comparableWords(withNumbers(text))
      .flatMap((word) => word.split('-'))
      .map((word) => word.replace(/'s$/, ''))
      .filter((word) => !stop.has(word))
      .map(stem),
  )

const digitWord = '(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|double \\w+|triple \\w+|\\d)'

const spelled = new RegExp(`\\b${digitWord}(?:[ -]${digitWord}){2,}\\b`, 'g')

/** Numbers spoken in words or digit by digit: "five zero zero two" → 5002. */
const withNumbers = (text: string): string => withAmounts(text.toLowerCase()).replace(spelled, digitsIn)

function askedFor(question: string): Set<string> {
  const tokens = tokensOf(question)
  for (const { asks, token } of expectations) if (asks.test(question.toLowerCase())) tokens.add(token)
  return tokens
}

function offeredBy(fact: Fact): Set<string> {
  const text = `${fact.about} ${fact.text}`
  const tokens = tokensOf(text)
  for (const { token, has } of expectations) if (has.test(text)) tokens.add(token)
  return tokens
}

export function bestFact(
  facts: readonly Fact[],
  question: string,
  byMeaning: Closeness = () => 0,
): Fact | undefined {
  const asked = askedFor(question)
  const offers = facts.map(offeredBy)
  // A word that occurs in many facts discriminates less.
  const weight = (token: string): number => {
    const holders = offers.filter((offer) => offer.has(token)).length
    return holders === 0 ? 0.6 : 0.4 + 1 / holders
  }
  const sum = (tokens: Iterable<string>) => [...tokens].reduce((total, token) => total + weight(token), 0)
  const whole = sum(asked)
  const scored = facts.map((fact, place) => {
    const shared = [...asked].filter((token) => offers[place]?.has(token))
    const byWords = whole === 0 ? 0 : sum(shared) / whole
    // Of two equal matches, the one with less unrelated content is nearer.
    const focus = (0.05 * shared.length) / (offers[place]?.size || 1)
    const meant = byMeaning(question, fact.about)
    return { fact, meant, score: Math.max(byWords, meant) + focus }
  })
  const best = scored.reduce<(typeof scored)[number] | undefined>(
    (champion, one) => (one.score > (champion?.score ?? 0) ? one : champion),
    undefined,
  )
  if (best && best.score >= closeEnough) return best.fact
  return onlyOneMeant(scored)
}

// A weak match is accepted if it is the only fact close to the question.
const nearest = { least: 0.3, ahead: 0.25 }

function onlyOneMeant(scored: readonly { fact: Fact; meant: number }[]): Fact | undefined {
  const [first, second] = scored.toSorted((one, other) => other.meant - one.meant)
  const isAlone = first && first.meant >= nearest.least && first.meant - (second?.meant ?? 0) >= nearest.ahead
  return isAlone ? first.fact : undefined
}
