// The limits of a workspace, and how much of each is used.
import type { UsageLimits } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { ButtonLink } from '../ui/controls/button.tsx'
import { When } from '../ui/words/when.tsx'

export const minutesWords = (minutes: number) =>
  minutes.toLocaleString('en', { maximumFractionDigits: minutes < 10 ? 2 : 0 })

const limitWords = {
  max_concurrency: 'Calls at once',
  calls_per_minute: 'Calls a minute',
  calls_per_day: 'Calls a day',
  minutes_per_day: 'Minutes a day',
  cost_per_day: 'Cost a day',
} satisfies Partial<Record<keyof UsageLimits, string>>

export function Limits({ workspaceId }: { workspaceId: string }) {
  const limits = useQuery({
    queryKey: ['limits', workspaceId],
    queryFn: () => api.usageLimits(workspaceId),
    refetchInterval: 15_000,
  })
  if (!limits.data) return null
  const usage = limits.data
  return (
    <section aria-label="Limits" className="mt-9">
      <div className="mb-3 flex items-start justify-between gap-4">
        <div>
          <h2 className="font-semibold">Limits</h2>
          <p className="mt-1 text-[0.8125rem] text-muted">
            Set by an owner. Days are those of UTC; the next one begins <When at={usage.resets_at} />.
          </p>
        </div>
        <ButtonLink kind="plain" to="/usage/limits">
          All limits
        </ButtonLink>
      </div>
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {(Object.keys(limitWords) as (keyof typeof limitWords)[]).map((kind) => (
          <Limit key={kind} words={limitWords[kind]} {...usage[kind]} />
        ))}
      </ul>
    </section>
  )
}

interface LimitProps {
  words: string
  limit: number | null
  used: number | null
}

function Limit({ words, limit, used }: LimitProps) {
  const share = limit ? Math.min(1, (used ?? 0) / limit) : 0
  return (
    <li className="rounded-xl border border-line bg-surface px-4 py-3 shadow-card">
      <p className="text-xs font-medium text-muted">{words}</p>
      <p className="mt-0.5 font-medium tabular-nums">
        {limit === null ? 'No limit' : `${minutesWords(used ?? 0)} of ${minutesWords(limit)}`}
      </p>
      {limit !== null && (
        <span aria-hidden="true" className="mt-2 block h-1.5 overflow-hidden rounded-full bg-hover">
          <span
            className={`block h-full rounded-full ${share >= 1 ? 'bg-bad-strong' : 'bg-accent'}`}
            style={{ width: `${share * 100}%` }}
          />
        </span>
      )}
    </li>
  )
}
