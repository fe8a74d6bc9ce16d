// Phrases the question for a piece of information that the prompt names.
import { askWhat, askWhether, toYou } from './second-person.ts'
import { capital, small } from './words.ts'

export interface WantedAnswer {
  readonly ask: string
  /** What the answer is called; empty if the question does not say. */
  readonly label: string
}

const purpose =
  /(?<!\s)\s+(?:in order )?(?:so that|to (?:book|confirm|complete|schedule|call)|before|politely|one (?:by one|at a time|after the other))\b.*$/i

// Separators between items, but not inside brackets: "what size (small, medium or large)".
const between =
  /(?<!\s)\s*[,;]\s*(?![^()]{0,200}\))(?:and\s+)?(?:then\s+)?(?:for\s+)?|(?<!\s)\s+and\s+(?![^()]{0,200}\))(?:then\s+)?(?:for\s+)?/i

/** The questions for a list: "their name, a phone number and how many guests are coming". */
export function askForAll(list: string): WantedAnswer[] {
  const things: string[] = []
  for (const part of list.replace(/\.$/, '').replace(purpose, '').split(between)) {
    const last = things.at(-1)
    // "date and time" is one item.
    const isOne = last !== undefined && /\b(?:date|day)$/i.test(last) && /^time\b/i.test(part)
    if (isOne) things.push(`${things.pop()} and ${part}`)
    else if (part.trim()) things.push(part.trim())
  }
  return things.map(askFor)
}

const suiting =
  /^(?:(preferred|convenient|suitable|desired)|(another|other|better|different|new|alternative)) (day|date|time|date and time|day and time)$/i

export function askFor(thing: string): WantedAnswer {
  const text = thing.trim().replace(/(?<![.:;])[.:;]+$/, '')
  const [, which, options] = text.match(/^((?:what|which) \w+)(?: \((.+)\))?$/i) ?? []
  if (which) return { ask: `${capital(which)} would you like${options ? `: ${options}` : ''}?`, label: '' }
  if (/^(?:what|when|where|which|who|why|how)\b/i.test(text))
    return { ask: askWhat(text), label: labelOf(text) }
  if (/^(?:if|whether)\b/i.test(text)) return { ask: askWhether(text.replace(/^\w+ /, '')), label: '' }
  const bare = toYou(text)
    .replace(/^(?:the|an?|your|any|some) +/i, '')
    .replace(/(?<!\s)\s*\([^()]*\)$/, '')
    .replace(/^(day|date|time) that suits you$/i, 'suitable $1')
    .replace(/^(.+ (?:day|date|time)) that suits you$/i, '$1')
  const count = bare.match(/^number of (.+)$/i)?.[1]
  if (count) return { ask: `How many ${count}?`, label: `the number of ${count}` }
  const described = bare.match(/^(?:short |brief )?description of (.+)$/i)?.[1]
  if (described) return { ask: `Could you describe ${described}?`, label: '' }
  const [, , other, when] = bare.match(suiting) ?? []
  if (when)
    return {
      ask: `Which ${other ? 'other ' : ''}${when.replace(/\bdate\b/, 'day')} would suit you?`,
      label: 'the appointment',
    }
  const [plainWhen] = bare.match(/^(?:day|date|time|day and time|date and time)$/i) ?? []
  if (plainWhen)
    return {
      ask: `${/^time$/i.test(plainWhen) ? 'What' : 'Which'} ${small(plainWhen).replace(/\bdate\b/, 'day')} would you like?`,
      label: `the ${small(plainWhen)}`,
    }
  if (/^(?:day|date|time)\b.* you\b/i.test(bare))
    return { ask: askWhat(`which ${bare.replace(/^date\b/i, 'day')}`), label: 'the appointment' }
  const label = `${/ of (?:the|this|that) /i.test(bare) ? 'the' : 'your'} ${small(bare)}`
  if (/^(?:full |first |last )?name$/i.test(bare)) return { ask: `May I have ${label}, please?`, label }
  const isMany = /[^su]s$/i.test(label)
  return { ask: `What ${isMany ? 'are' : 'is'} ${label}?`, label }
}

/** The caller's attribute that a question names. */
export const labelOf = (question: string): string =>
  question
    .match(
      /\byour ((?:[\w-]+ ){0,2}?(?:name|number|e-?mail(?: address)?|address|birthday|date of birth|date|time|budget|size|reason))\b/i,
    )?.[0]
    .toLowerCase() ?? ''
