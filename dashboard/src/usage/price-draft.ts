// The prices of a workspace as their form holds them: a list for each way of charging. Pure.
import type { Fault, Prices } from '@parley/contract'
import { missingPrices } from '@parley/contract/missing-prices'
import type { Tree } from '../ui/forms/tree.ts'

type PriceRow = Prices['rows'][number]

/** The lists of the form, in the order in which they are sent. */
const lists = ['transcribers', 'voices', 'models', 'lines'] as const
type List = (typeof lists)[number]

const listOf: Record<PriceRow['part'], List> = {
  transcriber: 'transcribers',
  synthesizer: 'voices',
  'language-model': 'models',
  line: 'lines',
}

export type PriceDraft = { currency: string } & Record<List, Tree[]>

export function draftOf(prices: Prices | null): PriceDraft {
  const draft: PriceDraft = {
    currency: prices?.currency ?? '',
    transcribers: [],
    voices: [],
    models: [],
    lines: [],
  }
  for (const row of prices?.rows ?? []) draft[listOf[row.part]].push(row)
  return draft
}

/** The prices as they are sent. Null: nothing has a price. */
export function pricesOf(draft: PriceDraft): Prices | null {
  const rows = lists.flatMap((list) => draft[list]) as PriceRow[]
  return rows.length === 0 && draft.currency === '' ? null : { currency: draft.currency, rows }
}

/** The form with rows of the public list for everything that has no price yet; a currency that was chosen stays. */
export function completedBy(draft: PriceDraft, { currency, rows }: Prices): PriceDraft {
  const own = lists.flatMap((list) => draft[list])
  const completed = { ...draft, currency: draft.currency || currency }
  for (const row of missingPrices(own, rows)) {
    const list = listOf[row.part]
    completed[list] = [...completed[list], row]
  }
  return completed
}

/** "prices.rows.3.name" → "voices.1.name": the place of the form that a fault of the server is about. */
export function placeOf(fault: Fault, draft: PriceDraft): Fault {
  const [, place, rest = ''] = /^prices\.rows\.(\d+)(\..*)?$/.exec(fault.path) ?? []
  if (place === undefined) return { ...fault, path: fault.path.replace(/^prices\./, '') }
  let at = Number(place)
  for (const list of lists) {
    if (at < draft[list].length) return { ...fault, path: `${list}.${at}${rest}` }
    at -= draft[list].length
  }
  return fault
}
