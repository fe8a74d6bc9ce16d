// Every attempt at a delivery: when, how long it took, and its outcome.
import type { Attempt } from '@parley/contract'
import { type Column, Table } from '../ui/lists/table.tsx'
import { ExactTime } from '../ui/words/when.tsx'
import { httpWords } from './webhook-words.tsx'

const columns: Column<Attempt>[] = [
  {
    head: 'Attempt',
    cell: ({ attempt, attempted_at, error }) => (
      <div className="flex gap-2.5">
        <span className="font-medium tabular-nums">{attempt}</span>
        <div>
          <p className="text-balance text-muted">
            <ExactTime at={attempted_at} />
          </p>
          {error && <p className="text-[0.8125rem] wrap-anywhere text-bad md:hidden">{error}</p>}
        </div>
      </div>
    ),
  },
  {
    head: 'Answer',
    cell: ({ http_status }) => <span className="whitespace-nowrap">{httpWords(http_status)}</span>,
  },
  {
    head: 'Latency',
    cell: ({ latency_ms }) => <span className="whitespace-nowrap tabular-nums">{latency_ms} ms</span>,
  },
  {
    head: 'Error',
    wide: true,
    cell: ({ error }) => <span className={error ? 'text-bad' : 'text-muted'}>{error ?? 'None'}</span>,
  },
]

export function Attempts({ attempts }: { attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return <p className="text-muted">None yet.</p>
  const refused = attempts.filter(({ response_body }) => response_body !== null)
  return (
    <div className="space-y-4">
      <Table label="Attempts" items={attempts} columns={columns} keyOf={({ attempt }) => attempt} />
      {refused.map(({ attempt, response_body }) => (
        <figure key={attempt}>
          <figcaption className="text-[0.8125rem] font-medium">
            The receiver answered attempt {attempt}
          </figcaption>
          <pre className="mt-1.5 max-h-64 overflow-auto rounded-lg border border-line bg-rail p-3 font-mono text-xs wrap-anywhere whitespace-pre-wrap">
            {response_body}
          </pre>
        </figure>
      ))}
    </div>
  )
}
