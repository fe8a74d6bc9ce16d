// One value of a type out of what a caller said.
import type { ExtractionField } from '../../../ports/analysis.ts'
import { intentOf, polarityIn } from '../mind/intents.ts'
import { recognise, volunteered } from '../mind/recognise.ts'
import { digitsIn, numberIn } from '../mind/spoken-number.ts'
import { timeIn } from '../mind/spoken-time.ts'
import { plain } from '../mind/words.ts'
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

// The field's name often implies a more specific type than text.
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

/** Values that are recognised even where they were not asked for. */
export const isUnmistakable = (kind: Kind): boolean => ['email', 'phone', 'name'].includes(kind)

/** `asked`: the field was just asked for, so a bare word is enough. */
export function valueIn(kind: Kind, said: string, asked: boolean, today: Date): unknown {
  switch (kind) {
    case 'boolean': {
      const polarity = polarityIn(said)
      return polarity && polarity === 'yes'
    }
    case 'number':
      return numberIn(said)
    case 'amount':
      return amountIn(said) ?? (asked ? numberIn(said) : undefined)
    case 'date':
      return dayIn(said, today)
    case 'time':
      return timeIn(said) ?? (asked ? recognise({ kind: 'time' }, said)?.words : undefined)
    case 'email':
      return recognise({ kind: 'email' }, said)?.words.replace(' at ', '@').replaceAll(' dot ', '.')
    case 'phone':
      return recognise({ kind: 'phone' }, said) && digitsIn(said)
    case 'name':
      return (asked ? recognise({ kind: 'name' }, said) : volunteered({ kind: 'name' }, said))?.words
    case 'text':
      return asked ? textIn(said) : undefined
  }
}

function amountIn(said: string): number | undefined {
  const [, , number] = said.match(/([$€£₹])\s?(\d[\d,]*(?:\.\d+)?)/) ?? []
  if (number) return Number(number.replaceAll(',', ''))
  const named = said.match(/(.*)\b(?:dollars?|euros?|pounds?|rupees?|bucks|cents|percent)\b/i)?.[1]
  return named === undefined ? undefined : numberIn(named)
}

/** The caller's own words, unless they are not an answer. */
function textIn(said: string): string | undefined {
  const intent = intentOf(said)
  const isAnswer = intent === undefined || intent === 'yes' || intent === 'no'
  return isAnswer ? said.trim().replace(/[.!]+$/, '') || undefined : undefined
}
