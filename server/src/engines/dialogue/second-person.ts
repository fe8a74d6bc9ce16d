// Rephrases what a prompt says about the caller as words to the caller.
import { capital } from './words.ts'

const roles =
  'caller|customer|client|patient|guest|user|person|lead|prospect|participant|respondent|recipient|resident|member|student|candidate|applicant|contact|driver|owner|borrower|tenant|buyer'

const rules: readonly [RegExp, string][] = [
  [
    new RegExp(
      `\\b(?:the )?((?:date of )?\\w+(?: number| address)?) of (?:the|each|every|your) (?:${roles})\\b`,
      'gi',
    ),
    'your $1',
  ],
  [new RegExp(`\\b(?:the|a|each|every|your) (?:${roles})s?['’]s?`, 'gi'), 'your'],
  [new RegExp(`\\b(?:the|each|every|your) (?:${roles})s? (?:is|are)\\b`, 'gi'), 'you are'],
  [new RegExp(`\\b(?:the|each|every|your) (?:${roles})s? has\\b`, 'gi'), 'you have'],
  [new RegExp(`\\b(?:the|each|every|your) (?:${roles})s?\\b`, 'gi'), 'you'],
  [/\b(?:they|he or she|he\/she|s\/he) (?:are|is)\b/gi, 'you are'],
  [/\b(?:they|he or she|he\/she|s\/he) has\b/gi, 'you have'],
  [/\b(?:they|he or she|he\/she|s\/he)\b/gi, 'you'],
  [/\bthem(?:selves)?\b|\bhim or her\b/gi, 'you'],
  [/\btheirs?\b|\bhis or her\b|\bhis\/her\b/gi, 'your'],
]

export const toYou = (text: string): string =>
  rules.reduce((said, [pattern, words]) => said.replace(pattern, words), text)

const auxiliary = 'can|could|will|would|are|have|had|do|did|were|should|may|might|must|need to'
const wh = '(?:what|when|where|which|who|whom|whose|why|how)'

const past =
  /^(?:(?!need\b)\w+ed|got|bought|saw|went|came|made|took|gave|found|heard|felt|paid|sent|spoke|knew|met|lost|left|kept|was)\b/i

/** Turns a clause into a question: "you can come" becomes "Can you come?" */
export function askWhether(clause: string): string {
  const said = toYou(clause.trim().replace(/(?<![.?!])[.?!]+$/, ''))
  const owned = said.match(
    /^you (?:have|had) (?!\w+ed\b|been\b|had\b|got\b|gone\b|seen\b|done\b|made\b|paid\b|ever\b|already\b)(.+)$/i,
  )
  if (owned) return `Do you have ${owned[1]}?`
  const inverted = said.match(new RegExp(`^you (${auxiliary.replace('|need to', '')})\\b ?(.*)$`, 'i'))
  if (inverted) return `${capital(inverted[1] ?? '')} you ${inverted[2]}?`.replace(/ \?$/, '?')
  const present = said.match(/^you (?!already\b|still\b|never\b)(\w.*)$/i)?.[1]
  if (present && !past.test(present)) return `Do you ${present}?`
  const other = said.match(
    /^((?:your|the|somebody|someone|anybody|anyone|it|there)\b(?: \w+){0,3}?) (is|was|will|can|has|were|are) (.+)$/i,
  )
  if (other) return `${capital(other[2] ?? '')} ${other[1]} ${other[3]}?`
  return `May I ask whether ${said}?`
}

/** Turns an indirect question into a direct one: "how satisfied they are" becomes "How satisfied are you?" */
export function askWhat(clause: string): string {
  const said = toYou(clause.trim().replace(/(?<![.?!])[.?!]+$/, ''))
  const moved = said.match(new RegExp(`^(${wh}\\b.*?) you (${auxiliary})\\b ?(.*)$`, 'i'))
  if (moved) return `${capital(moved[1] ?? '')} ${moved[2]} you ${moved[3]}?`.replace(/ \?$/, '?')
  const verb = said.match(new RegExp(`^(${wh}\\b.*?) you ((?!.*ed\\b)\\w+.*)$`, 'i'))
  if (verb) return `${capital(verb[1] ?? '')} do you ${verb[2]}?`
  const being = said.match(new RegExp(`^(${wh}(?: \\w+)?) ((?:the|your) .+?) (is|are|was|were)$`, 'i'))
  if (being) return `${capital(being[1] ?? '')} ${being[3]} ${being[2]}?`
  return new RegExp(`^${wh} (?:is|are|was|were|many|much)\\b`, 'i').test(said)
    ? `${capital(said)}?`
    : `May I ask ${said}?`
}
