// How a company lists the options of its own, and puts what an agent gives into what it sends.
import { z } from 'zod'
import type { OwnOption, OwnOptions, OwnValues } from '../../ports/own-options.ts'
import type { Query } from './wire/vendor-address.ts'

type OptionRow = Omit<OwnOption, 'place'>
type Tree = Readonly<Record<string, unknown>>
/** Options of a voice or of a transcriber. */
interface OwnWish {
  readonly own?: OwnValues | undefined
}

// Longer texts are prompts, which vendors limit themselves.
const mostChars = 10_000

export const yesOrNo = (effect: string): OptionRow => ({ schema: z.boolean(), form: 'true or false', effect })

export const text = (effect: string): OptionRow => ({
  schema: z.string().min(1).max(mostChars),
  form: 'a text',
  effect,
})

export const texts = (effect: string): OptionRow => ({
  schema: z.array(z.string().min(1).max(mostChars)).max(1_000),
  form: 'a list of texts',
  effect,
})

export const between = (least: number, most: number, effect: string): OptionRow => ({
  schema: z.number().min(least).max(most),
  form: `a number from ${least} to ${most}`,
  effect,
})

export const integer = (least: number, most: number, effect: string): OptionRow => ({
  schema: z.int().min(least).max(most),
  form: `a whole number from ${least} to ${most}`,
  effect,
})

export const choice = (values: readonly string[], effect: string): OptionRow => ({
  schema: z.enum(values),
  form: `one of ${values.join(', ')}`,
  effect,
})

export const shaped = (schema: z.ZodType, form: string, effect: string): OptionRow => ({
  schema,
  form,
  effect,
})

/** Reasons for which an option is withheld. */
export const parleySets = 'Parley sets it, because it reads the answer by it'
export const setBy = (setting: string): string => `set ${setting} instead`
export const leavesParley = 'it would send what callers say to another address'

interface ListedOptions<Place extends string> extends OwnOptions {
  /** What an agent gives of one place, nested as it is sent. */
  at(place: Place, asked: OwnWish): Tree
  /** The same as parameters of an address. Lists repeat their name; of objects, it has JSON. */
  query(place: Place, asked: OwnWish): Query
}

/** `places`: the options by their place, then by the vendor's own names. */
export function ownOptions<Place extends string>(
  places: Readonly<Record<Place, Readonly<Record<string, OptionRow>>>>,
  withheld: OwnOptions['withheld'] = {},
  placesFor?: (wish: Parameters<NonNullable<OwnOptions['placesFor']>>[0]) => readonly Place[],
): ListedOptions<Place> {
  const known = Object.fromEntries(
    Object.entries<Readonly<Record<string, OptionRow>>>(places).flatMap(([place, rows]) =>
      Object.entries(rows).map(([name, row]): [string, OwnOption] => [name, { ...row, place }]),
    ),
  )
  const at = (place: Place, { own = {} }: OwnWish): Tree =>
    Object.entries(own).reduce<Tree>(
      (tree, [name, value]) =>
        known[name]?.place === place ? withOwn(tree, nested(name.split('.'), value)) : tree,
      {},
    )
  return {
    known,
    withheld,
    placesFor,
    at,
    query: (place, asked) =>
      Object.fromEntries(Object.entries(at(place, asked)).map(([name, value]) => [name, parameter(value)])),
  }
}

/** What Parley sends, with what the agent gives in its place: objects merge key by key. */
export function withOwn<Base extends object>(base: Base, own: Tree): Base & Tree {
  const merged: Record<string, unknown> = Object.fromEntries(Object.entries(base))
  for (const [name, value] of Object.entries(own)) {
    const before = merged[name]
    merged[name] = isTree(before) && isTree(value) ? withOwn(before, value) : value
  }
  return merged as Base & Tree
}

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const nested = ([name = '', ...inner]: readonly string[], value: unknown): Tree => ({
  [name]: inner.length === 0 ? value : nested(inner, value),
})

function parameter(value: unknown): Query[string] {
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string')
  return isList || ['string', 'number', 'boolean'].includes(typeof value)
    ? (value as Query[string])
    : JSON.stringify(value)
}
