// Conditions over the variables of a call, for the edges of a graph.
import type { Expression } from '../../ports/call-plan.ts'
import { valueAlong } from '../tools/tool-answer.ts'

export type Variables = Readonly<Record<string, unknown>>

type Test = (held: unknown, wanted: unknown) => boolean

const words = (value: unknown): string =>
  String(value ?? '')
    .trim()
    .toLowerCase()
const same: Test = (held, wanted) => words(held) === words(wanted)
const inOrder =
  (test: (difference: number) => boolean): Test =>
  (held, wanted) => {
    const difference = Number(held) - Number(wanted)
    return held !== undefined && held !== '' && !Number.isNaN(difference) && test(difference)
  }
const among: Test = (held, wanted) =>
  (Array.isArray(wanted) ? wanted : String(wanted ?? '').split(',')).some((one) => same(held, one))
const within: Test = (held, wanted) => words(held).includes(words(wanted))
const there: Test = (held) => words(held) !== ''

const not =
  (test: Test): Test =>
  (held, wanted) =>
    !test(held, wanted)

const tests: Readonly<Record<string, Test>> = {
  eq: same,
  equals: same,
  '==': same,
  '=': same,
  neq: not(same),
  ne: not(same),
  not_equals: not(same),
  '!=': not(same),
  gt: inOrder((difference) => difference > 0),
  '>': inOrder((difference) => difference > 0),
  gte: inOrder((difference) => difference >= 0),
  '>=': inOrder((difference) => difference >= 0),
  lt: inOrder((difference) => difference < 0),
  '<': inOrder((difference) => difference < 0),
  lte: inOrder((difference) => difference <= 0),
  '<=': inOrder((difference) => difference <= 0),
  in: among,
  not_in: not(among),
  contains: within,
  not_contains: not(within),
  exists: there,
  not_exists: not(there),
}

/** An unknown operator never holds. */
export function expressionHolds({ logic, conditions }: Expression, variables: Variables): boolean {
  const held = conditions.map(
    ({ variable, operator, value }) => tests[operator]?.(valueAt(variables, variable), value) ?? false,
  )
  if (held.length === 0) return false
  return logic === 'or' ? held.includes(true) : !held.includes(false)
}

/** The value of "recipient.timezone": looked up first as a whole name, then as a path. */
function valueAt(variables: Variables, path: string): unknown {
  if (Object.hasOwn(variables, path)) return variables[path]
  return valueAlong(variables, path.split('.'))
}
