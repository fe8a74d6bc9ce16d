// Finds one value of a type in what a caller said.
import type { ExtractionField } from '../../ports/analysis.ts'
import { intentOf } from '../dialogue/intents.ts'
import { recognise, volunteered } from '../dialogue/recognise.ts'
import { digitsIn } from '../dialogue/spoken-number.ts'
import { timeIn } from '../dialogue/spoken-time.ts'
import { plain } from '../dialogue/words.ts'
import { hedged, plainAnswer, plainNumber } from './answers.ts'
import { dayIn } from './calendar.ts'

export type Kind = 'boolean' | 'number' | 'amount' | 'date' | 'time' | 'email' | 'phone' | 'name' | 'text'

const byType: readonly [Kind, RegExp][] = [
  ['boolean', /^(?:bool|yes)/],
  ['amount', /^(?:amount|money|currency|price)/],
  ['number', /^(?:num|int|float|double|decimal|count|rating)/],
  ['date', /^date(?!.*time)/],
  ['time', /^time/],
  ['email', /^e-?mail/],
  ['phone', /^(?:phone|tel)/],
  ['name', /^name/],
]

// Kinds by the field's name, which often implies a more specific one than text.
const byName: readonly [Kind, RegExp][] = [
  ['email', /\be-?mail\b/],
  ['phone', /\b(?:phone|telephone|mobile|callback) ?(?:number)?\b|\bcontact number\b/],
  ['name', /\b(?:(?:caller|customer|full|first|last|patient|guest|contact)(?:'s)? )?name$/],
]

export function kindOf({ name, type: written, description }: ExtractionField): Kind {
  const type = plain(written)
  const [typed] = byType.find(([, pattern]) => pattern.test(type)) ?? []
  if (typed) return typed
  const words = plain(name.replaceAll('_', ' '))
  const [named] = byName.find(([, pattern]) => pattern.test(words)) ?? []
  if (named) return named
  return /\b(?:yes or no|true or false|whether)\b/i.test(description) && !type ? 'boolean' : 'text'
}

/** Whether values of this kind are recognised even where they were not asked for. */
export const isUnmistakable = (kind: Kind): boolean => ['email', 'phone', 'name'].includes(kind)

export interface FieldContext {
  /** The field was just asked for, so a bare word is enough. */
  readonly isAsked: boolean
  readonly today: Date
  readonly field: ExtractionField
}

/** The value; undefined: there is none, or more than one. */
export function valueIn(kind: Kind, said: string, { isAsked: asked, today, field }: FieldContext): unknown {
  switch (kind) {
    case 'boolean':
      return plainAnswer(said)
    case 'number':
      return plainNumber(said, isCode(field))
    case 'amount':
      return amountIn(said) ?? (asked ? plainNumber(said, false) : undefined)
    case 'date':
      return isRuledOut(said) || isPast.test(said) ? undefined : dayIn(said, today)
    case 'time':
      return timeIn(said) ?? (asked ? recognise({ kind: 'time' }, said)?.words : undefined)
    case 'email':
      return recognise({ kind: 'email' }, said)?.words.replace(' at ', '@').replaceAll(' dot ', '.')
    case 'phone':
      return recognise({ kind: 'phone' }, said) && digitsIn(said)
    case 'name':
      return nameIn(said, asked)
    case 'text':
      return asked ? textIn(said) : undefined
  }
}

// Words that no name has: "Why do you need that", "I'd rather not".
const notNames =
  /\b(?:i|i'm|i'd|you|it|he|she|we|they|do|don't|not|no|yes|why|what|who|how|when|where|would|rather|want|need|have|can|the|a|to|of|my|your|that|this|is|are|was|sorry|calling|just|here|fine|good|sure|please)\b/i

function nameIn(said: string, asked: boolean): string | undefined {
  if (said.trimEnd().endsWith('?')) return undefined
  const name = (asked ? recognise({ kind: 'name' }, said) : volunteered({ kind: 'name' }, said))?.words
  return name === undefined || notNames.test(name) ? undefined : name
}

/** Whether the field is a number that is read digit by digit, such as that of an order. */
const isCode = ({ name }: ExtractionField): boolean =>
  /(?:^|_)(?:number|no|code|id|pin|reference|ref)$/i.test(name) && !/^number_of/i.test(name)

// "It was on Friday": days are looked for ahead.
const isPast = /\b(?:was|were|did|had|ago|came|went|sent|got|bought|began|started)\b/i

/** Whether a day is ruled out: "Not on Tuesday", "Tuesday is no good". */
const isRuledOut = (said: string): boolean =>
  hedged.test(said) ||
  /\b(?:not|never|except|anything but|can't|cannot|won't|no good)\b/i.test(said.replace(/^\W*no\b,?/i, ''))

function amountIn(said: string): number | undefined {
  const [, , number] = said.match(/([$€£₹])\s?(\d[\d,]*(?:\.\d+)?)/) ?? []
  if (number) return Number(number.replaceAll(',', ''))
  const named = said.match(/^(.*)\b(?:dollars?|euros?|pounds?|rupees?|bucks|cents|percent)\b/i)?.[1]
  return named === undefined ? undefined : plainNumber(named, false)
}

// Words that are not an answer, whatever was asked.
const withheld =
  /\?\s*$|\b(?:forgot(?:ten)?|no clue|not with me|rather not|don't want|do not want|won't tell|private|none of your|don't have|do not have|can't remember|let me (?:think|see|check)|hold on|wait)\b/i

/** The caller's own words, unless they are not an answer. */
function textIn(said: string): string | undefined {
  const intent = intentOf(said)
  const isAnswer = (intent === undefined || intent === 'yes' || intent === 'no') && !withheld.test(said)
  return isAnswer ? said.trim().replace(/(?<![.!])[.!]+$/, '') || undefined : undefined
}
