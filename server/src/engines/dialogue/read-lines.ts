// The lines of a prompt without markup, each with its section.

/** The section of a line, by the heading above it. */
export type Section = 'ask' | 'facts' | 'closing' | 'other'

export interface PromptLine {
  readonly text: string
  readonly section: Section
  /** Whether the line is a list item. */
  readonly isItem: boolean
}

const headings: readonly [Section, RegExp][] = [
  [
    'facts',
    /\b(?:faq|facts?|frequently|info|information|knowledge|about|hours|prices?|services|menu|details|policies|policy|background|context|answers)\b/i,
  ],
  ['closing', /\b(?:closing|close|goodbye|good-bye|farewell|end|ending)\b/i],
  [
    'ask',
    /\b(?:questions?|ask|collect|gather|survey|script|fields?|information to|data|take|capture|need to know)\b/i,
  ],
]

export function linesOf(prompt: string): PromptLine[] {
  const lines: PromptLine[] = []
  let section: Section = 'other'
  let question = ''
  let isListing = false
  for (const raw of prompt.split(/\r?\n/).flatMap(apart)) {
    const written = raw.replace(/\*\*|__|`/g, '').trim()
    const isItem = /^(?:[-*•–]|\d+[.)])\s+/.test(written)
    const text = written
      .replace(/^(?:[-*•–]|\d+[.)])\s+/, '')
      .replace(/^#+\s*/, '')
      .trim()
    const isHeading = /^#/.test(written) || /^[^.?!]{1,60}:$/.test(text)
    if (text === '') continue
    // A list ends with its last item.
    if (isListing && !isItem && !isHeading && section === 'ask') section = 'other'
    isListing = isItem
    if (/^(?:Q|Question)\s*[:.]/i.test(text) && !/\b(?:A|Recognised)\s*:/.test(text)) question = text
    else if (question && /^(?:A|Recognised)\s*[:.]/i.test(text)) {
      lines.push({ text: `${question} ${text}`, section, isItem })
      question = ''
    } else if (isHeading) section = sectionOf(text)
    else lines.push(...inline(text, section, isItem))
  }
  return lines
}

/** A heading may follow other sentences: "You are a clerk. Ask for:" */
function apart(line: string): string[] {
  const [, before = '', heading = ''] = line.match(/^(.*[.!?])\s+([^.?!]{1,60}:)\s*$/) ?? []
  return heading ? [before, heading] : [line]
}

function sectionOf(heading: string): Section {
  // "Information to collect" is not information.
  if (/\bto (?:collect|ask|gather|take)\b/i.test(heading)) return 'ask'
  return headings.find(([, pattern]) => pattern.test(heading))?.[0] ?? 'other'
}

/** "Collect: name, phone" is a heading with its list; "Parking: behind the house" is a fact with its name. */
function inline(text: string, section: Section, isItem: boolean): PromptLine[] {
  const [, heading = '', content = ''] = text.match(/^([A-Z][^:.?!,"“]{1,40}):\s+(\S.*)$/) ?? []
  const named = heading && !isItem ? sectionOf(heading) : 'other'
  if (named === 'ask' || named === 'closing') return [{ text: content, section: named, isItem }]
  return [{ text, section, isItem }]
}
