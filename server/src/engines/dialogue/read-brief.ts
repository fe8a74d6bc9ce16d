// Parses an agent's prompt: identity, facts, questions and statements.
import { askFor, askForAll, labelOf } from './ask-for.ts'
import type { Brief, BriefStatement, Condition, Fact, Question } from './brief.ts'
import { defaultQuestions } from './default-questions.ts'
import { type Instruction, readInstructions } from './read-instruction.ts'
import { linesOf, type Section } from './read-lines.ts'
import { toYou } from './second-person.ts'
import { slotOf } from './slot.ts'
import { capital, comparableWords, plainSentences, withFullStop } from './words.ts'

interface Draft {
  facts: Fact[]
  statements: BriefStatement[]
  questions: Question[]
  closing: string | undefined
  purpose: string | undefined
}

const english = new Set(
  'the you are and to is for of a ask we your if what in on with do they caller i'.split(' '),
)

// About ten pages; anything beyond this is ignored.
const longestPromptChars = 20_000

/** Reads prompts into briefs, and caches them: every turn of a call reads the same prompts. */
export function briefReader(): (written: string) => Brief {
  const known = new Map<string, Brief>()
  return (written) => {
    const brief = known.get(written) ?? readBrief(written)
    known.set(written, brief)
    return brief
  }
}

export function readBrief(written: string): Brief {
  const prompt = written.slice(0, longestPromptChars)
  const draft: Draft = { facts: [], statements: [], questions: [], closing: undefined, purpose: undefined }
  for (const { text, section, isItem } of linesOf(prompt)) {
    const pair = text.match(/^(?:Q|Question)\s*[:.]\s*(\S.*?)(?<!\s)\s+(?:A|Recognised)\s*[:.]\s*(\S.*)$/is)
    if (pair) draft.facts.push({ about: pair[1] ?? '', text: withFullStop(pair[2] ?? '') })
    else takeLine(draft, text, section, isItem)
  }
  const identity = readIdentity(prompt)
  const questions = draft.questions.length > 0 ? draft.questions : defaultQuestions(prompt)
  return { ...draft, questions, isEnglish: isEnglish(prompt), ...identity }
}

function isEnglish(prompt: string): boolean {
  const words = comparableWords(prompt)
  return words.filter((word) => english.has(word)).length >= words.length * 0.1
}

function takeLine(draft: Draft, text: string, section: Section, isItem: boolean): void {
  const sentences = plainSentences(text)
  const [first = '', ...rest] = sentences
  // A question followed by its answer is one the caller may ask.
  if (section === 'facts' && first.endsWith('?') && rest.length > 0) {
    draft.facts.push({ about: first, text: rest.map(withFullStop).join(' ') })
  } else if (section === 'closing') {
    const [instruction] = readInstructions(text)
    const told = instruction && 'text' in instruction ? instruction.text : undefined
    draft.closing = told ?? withFullStop(unquoted(text))
  } else if (section === 'ask' && !text.includes('?')) {
    for (const instruction of readListed(text, isItem)) follow(draft, instruction)
  } else if (section === 'facts' && isItem && readInstructions(text).length === 0) {
    draft.facts.push({ about: text, text: withFullStop(text) })
  } else {
    for (const one of sentences) takeSentence(draft, one)
  }
}

/** Under a heading such as "Ask for", a bare word is a thing to ask for. */
function readListed(text: string, isItem: boolean): Instruction[] {
  const instructions = readInstructions(text)
  if (instructions.length > 0) return instructions
  return [{ do: 'ask', questions: isItem ? [askFor(text)] : askForAll(text) }]
}

const askedAbout =
  /^(?:if|when) (?:asked|they ask|anyone asks|someone asks|the \w+ asks?|(?:callers|customers) ask)(?: about| for| if| whether)?:? ["“]?(.+?)["”]?,? (?:say|tell (?:them|the \w+)|answer|reply|explain)(?: that)?:? ["“]?(.+?)["”]?$/i
const purposeOf =
  /^(?:you are calling\b.*?|you call\b.*?|your (?:goal|task|job|role|purpose|aim|mission) is|the (?:purpose|goal|aim) of (?:the|this) call is) to (.+?)[.!]?$/i
const circumstance =
  /^(?:if|when|unless|once|while|after|before)\b.*?,\s*|^(?:in case of|in an?) \w+(?: \w+)?,? (?=(?:tell|say|inform)\b)/i
// A request is taken for granted until the caller says otherwise.
const request =
  /^(?:if|when) (?:someone|somebody|they|an? \w+|the \w+|callers?|customers?) (?:wants?|would like|needs?|asks? (?:for|to)|is interested|calls?)\b.*?,\s*/i

function takeSentence(draft: Draft, written: string): void {
  const text = unquoted(written)
  const [, about, answer = ''] = text.match(askedAbout) ?? []
  if (about) draft.facts.push({ about, text: withFullStop(toYou(answer)) })
  else takeOrder(draft, text)
}

function takeOrder(draft: Draft, text: string): void {
  const conditional = readCondition(draft, text)
  if (conditional) followAll(draft, readInstructions(conditional.order), conditional.condition)
  else if (text.endsWith('?')) followAll(draft, asIs(text))
  else takePlain(draft, text)
}

// Words for what is said last.
const atLast =
  /^(?:(?:finally|lastly|at the end|in the end)\b,?|(?:when|once|after) (?:you have everything|you are done|done|finished|all (?:questions )?(?:is|are) \w+)\b,?|(?:read|repeat) (?:everything|it|them|all of it|the details)(?: back)?,? (?:and|then))\s*/i

/** "In an emergency, tell them to call 911" becomes a fact about emergencies. */
function takeCircumstance(draft: Draft, text: string): void {
  const [, matter, order = ''] =
    text.match(
      /^(?:if|when|in case of|in the case of|in|for) (.+?),? (?=(?:say|tell|explain|inform|let)\b)(.+)$/i,
    ) ?? []
  const isAbout = matter !== undefined && !/^(?:they|the \w+|he|she|asked|someone|anyone)$/i.test(matter)
  const [instruction] = isAbout ? readInstructions(order) : []
  if (matter && instruction?.do === 'say') draft.facts.push({ about: matter, text: instruction.text })
}

function takePlain(draft: Draft, text: string): void {
  const last = text.replace(atLast, '')
  if (last !== text) {
    for (const one of readInstructions(last))
      follow(draft, one.do === 'say' ? { do: 'close', text: one.text } : one)
    return
  }
  const [, purpose] = text.match(purposeOf) ?? []
  const wanted = text.replace(request, '')
  const order = wanted.replace(circumstance, '')
  const instructions = readInstructions(purpose ?? order)
  if (purpose) takePurpose(draft, text, purpose, instructions)
  // Of a condition that we cannot evaluate, only the goodbye is kept.
  followAll(draft, order === wanted ? instructions : instructions.filter(({ do: what }) => what === 'close'))
  const isTaken = purpose || instructions.length > 0 || order !== text
  if (order !== wanted || instructions.length === 0) takeCircumstance(draft, text)
  if (!isTaken && isFact(text)) draft.facts.push({ about: text, text: withFullStop(text) })
}

function takePurpose(
  draft: Draft,
  text: string,
  purpose: string,
  instructions: readonly Instruction[],
): void {
  draft.purpose ??= toYou(purpose)
  if (!/^you /i.test(text) || instructions.some(({ do: what }) => what === 'say')) return
  follow(draft, { do: 'say', text: withFullStop(`I am calling to ${toYou(purpose)}`) })
}

const unquoted = (text: string): string => text.replace(/^["“](.*)["”]$/s, '$1')

function followAll(draft: Draft, instructions: readonly Instruction[], condition?: Condition): void {
  for (const instruction of instructions) follow(draft, instruction, condition)
}

/** Reads "Ask the following: How was your visit?" without the part before the colon. */
function asIs(text: string): Instruction[] {
  const ask = capital(unquoted(text.replace(/^[^:?]*\b(?:ask|questions?|following)\b[^:?]*:\s*/i, '')))
  return [{ do: 'ask', questions: [{ ask, label: labelOf(ask) }] }]
}

function follow(draft: Draft, instruction: Instruction, condition?: Condition): void {
  if (instruction.do === 'ask') {
    for (const { ask, label } of instruction.questions) {
      const id = `q${draft.questions.length + 1}`
      if (draft.questions.some((question) => question.ask === ask)) continue
      draft.questions.push({ id, ask, label, slot: slotOf(ask), condition })
    }
  }
  if (instruction.do === 'say') {
    draft.statements.push({ text: instruction.text, condition })
    if (!condition) draft.facts.push({ about: instruction.text, text: instruction.text })
  }
  if (instruction.do === 'close') {
    if (condition) draft.statements.push({ text: instruction.text ?? '', condition, ends: true })
    else draft.closing ??= instruction.text
  }
}

const answers =
  /^if (?:(?:the )?answer is |they (?:say|answer) |the \w+ says )?["“]?(yes|so|no|not)\b["”]?[,:]?\s*(\S.*)$/i
const clauses =
  /^if (?:they|the \w+|he or she|so|it) (?:(can(?:'t|not| not)|do(?:es)?(?:n't| not)|won't|will not|declines?|refuses?|disagrees?|(?:is|are)(?:n't| not)|ha(?:s|ve)(?:n't| not)|is wrong)|can|agrees?|accepts?|confirms?|wants?|do|does|will|is|are|has|have)\b[^,]*,\s*(\S.*)$/i

/** Reads a condition: "If not, ask for another day." refers to the last yes/no question. */
function readCondition(draft: Draft, text: string): { condition: Condition; order: string } | undefined {
  const question = draft.questions.findLast(({ slot, condition }) => slot.kind === 'yes-no' && !condition)
  // "Not interested" can be the answer to any question.
  if (!question || /\binterested\b/i.test(text)) return undefined
  const answer = text.match(answers)
  if (answer) {
    const is = /^(?:yes|so)$/i.test(answer[1] ?? '') ? 'yes' : 'no'
    return { condition: { question: question.id, is }, order: answer[2] ?? '' }
  }
  const clause = text.match(clauses)
  if (!clause) return undefined
  return { condition: { question: question.id, is: clause[1] ? 'no' : 'yes' }, order: clause[2] ?? '' }
}

const behaviour =
  /^(?:you(?:'re| are| work| should| must| will| can| have| need| speak| help| answer| call| take| handle| never| always)?\b|your\b|be\b|keep|never|always|do not|don't|speak|talk|use|answer|help|assist|handle|respond|reply|stay|remain|avoid|try|make sure|ensure|remember|only|please|verify|check|listen|introduce|greet|confirm|schedule|book|follow|start|begin|provide|give|explain|end|close|thank|repeat|read|wait|act|sound|let|go|stick|refer|mention|encourage|transfer|ask|collect|take|get|note|find|see|apologi[sz]e|offer|sell|qualify|conduct|goal|role|task|tone|style|language|persona)\b/i

// "Check-in is from 3 pm" states; "Check in the guests" instructs.
const telling =
  /^(?!you\b|your (?:goal|task|job|role|name)\b|be\b)(?:[\w'’-]+ ){1,4}(?:is|are|was|were|costs?|starts?|takes?|opens?|closes?|has|have|includes?|leaves?)\b/i

const isFact = (text: string): boolean =>
  telling.test(text) ||
  ((comparableWords(text).length >= 3 || /\w: \w/.test(text)) &&
    !behaviour.test(text.replace(/^(?:politely|briefly|then|first|finally)[, ]+/i, '')))

const adjectives =
  /\b(?:friendly|helpful|polite|professional|warm|courteous|efficient|cheerful|kind|patient|ai|artificial|virtual|voice|phone|telephone|automated|digital|smart|intelligent|calm|concise|experienced|very|and)\b,?\s*/gi

interface Identity {
  readonly name: string | undefined
  readonly role: string | undefined
  readonly company: string | undefined
}

function readIdentity(written: string): Identity {
  const prompt = written.replace(/\*\*|__|`/g, '')
  const introduced = prompt.match(/\bYou(?: are|'re) ([^.\n]+)/)?.[1] ?? ''
  const named = introduced.match(/^(\p{Lu}[\p{Letter}'-]+)(?=[, ]|$)/u)?.[1]
  const name = named ?? prompt.match(/\b(?:[Yy]our name is|named|called) (\p{Lu}[\p{Letter}'-]+)/u)?.[1]
  const described = named ? introduced.slice(named.length).replace(/^[,\s]+/, '') : introduced
  const role = described
    .split(
      /(?<!\s)\s*(?:,|;| who | that | which | whose | and you | answering | calling | responsible | here to )/,
    )[0]
    ?.replace(/\b(?:named|called) \p{Lu}[\p{Letter}'-]+/u, '')
    .replace(adjectives, '')
    .replace(/\s+/g, ' ')
    .replace(/^an?\s+/i, 'the ')
    .trim()
  const isRole = role && /^(?:the|from|of|at|with|working)\b/i.test(role) && role.split(' ').length > 1
  const company = prompt.match(
    /\b(?:on behalf of|(?:customers|clients|patients|members|guests|users) of|(?:phone|calls|line) (?:for|of)|restaurant|company|clinic|hotel|shop) (\p{Lu}[\p{Letter}&'-]*(?: (?:and )?(?:\p{Lu}[\p{Letter}&'-]*|[Dd]r\.))*)/u,
  )?.[1]
  return { name, role: isRole ? role : undefined, company }
}
