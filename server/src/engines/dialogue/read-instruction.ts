// Turns one instruction of a prompt ("Ask for their name and phone number.") into questions or statements.
import { askForAll, labelOf } from './ask-for.ts'
import { askWhether, toYou } from './second-person.ts'
import { capital, withFullStop } from './words.ts'

export type Instruction =
  | { readonly do: 'ask'; readonly questions: readonly { ask: string; label: string }[] }
  | { readonly do: 'say'; readonly text: string }
  | { readonly do: 'close'; readonly text: string | undefined }
  /** A rule of behaviour, which the policy cannot follow. */
  | { readonly do: 'nothing' }

const someone =
  '(?:the \\w+|\\{\\w+\\}|them|him|her|each \\w+|callers?|customers?|patients?|guests?|people|users?|him or her)'
// At most two words stand between the verb and what is to be told.
const telling = '(?:tell|inform|remind|notify|advise|let)(?: (?!that)\\S+){0,2}?'
const polite =
  /^(?:(?:then|first|next|finally|also|please|politely|briefly|always|now|you (?:should|must|need to|have to|will)|make sure (?:to|you)|be sure to|remember to|try to|lastly|afterwards?|and|once|your (?:goal|task|job|role|purpose|aim) is to|start by|begin by)[, ]+|(?:to|for) [^,]+, (?=ask|collect|take|get))+/i

const atTheEnd = /,? (?:at the end|in the end|before (?:you )?(?:hang|end|say)\b)(?: .*)?$/i

const rules: readonly [RegExp, (match: RegExpMatchArray) => Instruction][] = [
  [
    /\b(?:say|reply|answer|respond|tell \w+|end with|close with|finish with)[:,]?\s*["“](.+?)["”]/i,
    ([, words = '']) => say(words),
  ],
  [/^(?:say|add)\b[:,]?\s+(?!good-?bye|hello)(?:that )?(\S.*)$/i, ([, words = '']) => say(words)],
  [new RegExp(`^ask(?: ${someone})?:?\\s*["“](.+?)["”]`, 'i'), ([, words = '']) => verbatim(words)],
  [
    new RegExp(
      `^(?:ask|check with|check|find out|confirm with|confirm|verify|see)(?: ${someone})? (?:if|whether|that) (.+)$`,
      'i',
    ),
    ([, clause = '']) => whether(clause),
  ],
  [
    new RegExp(
      `^(?:ask|find out|learn|determine)(?: ${someone})? (?:about )?((?:what|when|where|which|who|why|how)\\b.+)$`,
      'i',
    ),
    ([, list = '']) => things(list),
  ],
  [
    new RegExp(`^(?:ask|inquire|enquire)(?: ${someone})? (?:for|about) (.+)$`, 'i'),
    ([, list = '']) => things(list),
  ],
  // Answers are read back anyway.
  [/^(?:confirm|verify) (?!.*\b(?:name|number|e-?mail|address|birth\w*)\b)/i, () => nothing],
  [/^take (?:down )?(?:a |their )?messages?$/i, () => things('name, phone number, message')],
  [
    /^(?:collect|gather|get|take(?: down)?|obtain|record|note(?: down)?|request|capture|write down|find out|verify|confirm|ask)(?: the following(?: \w+)?)?:?\s+(?=\S)(.*\b(?:their|caller's|customer's|patient's|guest's|name|number|e-?mail|date|time|address|reason|size|message|symptoms?|budget)\b.*)$/i,
    ([, list = '']) => things(list),
  ],
  [new RegExp(`^${telling}(?: know)? to (.+)$`, 'i'), ([, order = '']) => say(`Please ${toYou(order)}`)],
  [
    new RegExp(`^${telling}(?: know)? (?:of|about) (.+)$`, 'i'),
    ([, matter = '']) => say(`This is a reminder of ${toYou(matter)}`),
  ],
  [
    new RegExp(`^(?:tell|inform|remind|notify|advise|let)(?: ${someone})(?: know)?(?: that)? (.+)$`, 'i'),
    ([, words = '']) => say(toYou(words)),
  ],
  [new RegExp(`^explain(?: to ${someone})? that (.+)$`, 'i'), ([, words = '']) => say(toYou(words))],
  [
    new RegExp(`^offer(?: ${someone})? (to .+)$`, 'i'),
    ([, words = '']) => say(`We can offer ${toYou(words)}`),
  ],
  [
    new RegExp(`^offer(?: ${someone})? (.+)$`, 'i'),
    ([, words = '']) => say(`We can offer you ${toYou(words)}`),
  ],
  [
    new RegExp(
      `^thank(?: ${someone})?(?: (for .+?))?(?:,? (?:and (?:say good-?bye|end the call|hang up)|at the end|before .*|when .*|once .*))?$`,
      'i',
    ),
    ([, why]) => ({ do: 'close', text: withFullStop(`Thank you${why ? ` ${toYou(why)}` : ''}`) }),
  ],
  [
    new RegExp(`^wish(?: ${someone})? (.+)$`, 'i'),
    ([, wish = '']) => ({ do: 'close', text: withFullStop(`Have ${toYou(wish.replace(atTheEnd, ''))}`) }),
  ],
  [
    /\b(?:say good-?bye|end the call|hang up|close the call|finish the call)\b/i,
    () => ({ do: 'close', text: undefined }),
  ],
  [/^apologi[sz]e\b/i, () => say('I am sorry about that')],
]

const another =
  /,?(?<!\s)\s+(?:and|then|and then)\s+(?=(?:tell|ask|say|thank|inform|remind|end the|offer|wish|apologi[sz]e|confirm|collect|hang up)\b)/i

// In "Take a message: ask for the name" only the second part counts.
const announced = /^[^:,.?]{1,60}:\s+(?=(?:ask|collect|gather|get|find out|tell|say)\b)/i

/** Splits compound instructions: "ask for a new date and tell them that the office will call". */
export const readInstructions = (written: string): Instruction[] =>
  written
    .replace(announced, '')
    .split(another)
    .map(readInstruction)
    .filter((instruction) => instruction.do !== 'nothing')

function readInstruction(written: string): Instruction {
  const text = written
    .trim()
    .replace(polite, '')
    .replace(/(?<![.!])[.!]+$/, '')
    .trim()
  for (const [pattern, read] of rules) {
    const match = text.match(pattern)
    if (match) return read(match)
  }
  return nothing
}

const nothing: Instruction = { do: 'nothing' }

const say = (words: string): Instruction => ({ do: 'say', text: withFullStop(words) })

const verbatim = (ask: string): Instruction => ({
  do: 'ask',
  questions: [{ ask: capital(ask), label: labelOf(ask) }],
})

const things = (list: string): Instruction => ({ do: 'ask', questions: askForAll(list) })

const whether = (clause: string): Instruction => verbatim(askWhether(clause))
