// What a call used and what that cost, part by part.
import type { CallCost } from '@parley/contract'
import { Link } from '../router.tsx'
import { type Column, Table } from '../ui/lists/table.tsx'
import { money } from '../ui/words/money.ts'

type Part = CallCost['parts'][number]

// The cost of one call is shown in hundredths of a cent.
const digits = 4

const partWords: Record<Part['part'], string> = {
  transcriber: 'Recognition',
  synthesizer: 'Voice',
  'language-model': 'Language model',
  line: 'Line',
}

const whole = (value: number) => value.toLocaleString('en')

function usedWords({ part, seconds, characters, ...tokens }: Part): string {
  if (part === 'synthesizer') return `${whole(characters)} characters`
  if (part === 'language-model')
    return `${whole(tokens.input_tokens)} tokens read${keptWords(tokens)}, ${whole(tokens.output_tokens)} tokens written`
  return `${seconds.toFixed(1)} s`
}

function keptWords({
  cached_tokens,
  cache_write_tokens,
}: Pick<Part, 'cached_tokens' | 'cache_write_tokens'>): string {
  const words = [
    ...(cached_tokens > 0 ? [`${whole(cached_tokens)} from a cache`] : []),
    ...(cache_write_tokens > 0 ? [`${whole(cache_write_tokens)} into one`] : []),
  ]
  return words.length > 0 ? ` (${words.join(', ')})` : ''
}

const columns = (currency: string | null): Column<Part>[] => [
  {
    head: 'Part',
    cell: ({ part, name }) => (
      <>
        <p className="font-medium">{partWords[part]}</p>
        <p className="text-[0.8125rem] wrap-anywhere text-muted">{name}</p>
      </>
    ),
  },
  { head: 'Used', cell: (part) => <span className="tabular-nums">{usedWords(part)}</span> },
  {
    head: 'Cost',
    cell: ({ cost }) =>
      cost === null ? (
        <span className="text-muted">No price</span>
      ) : (
        <span className="tabular-nums">{money(cost, currency, digits)}</span>
      ),
  },
]

/** The cost of the whole call in a word. Undefined: nothing is known. */
export const costWords = (cost: CallCost | null): string | undefined =>
  cost?.amount == null ? undefined : money(cost.amount, cost.currency, digits)

export function CallCosts({ cost }: { cost: CallCost }) {
  const { currency, parts } = cost
  const total = costWords(cost)
  return (
    <div className="space-y-3">
      <Table
        label="Parts of the cost"
        items={parts}
        keyOf={({ part, name }) => `${part} ${name}`}
        columns={columns(currency)}
      />
      {total ? (
        <p className="text-right font-medium tabular-nums">Together {total}</p>
      ) : (
        <p className="text-[0.8125rem] text-muted">
          {currency === null
            ? 'This workspace has no prices yet. '
            : 'The total is unknown as long as a part has no price. '}
          An owner sets{' '}
          <Link to="/usage/prices" className="underline underline-offset-3">
            prices
          </Link>
          ; they count for calls that end afterwards.
        </p>
      )}
    </div>
  )
}
