// What was found out about a call after its end, as tables.
import type { Analytics } from '@parley/contract'
import type { ReactNode } from 'react'
import { Link } from '../router.tsx'
import { Badge, type Tone } from '../ui/words/badge.tsx'
import { plainWords } from '../ui/words/plain-words.ts'
import { callsAt } from './call-filters.ts'
import { moodWords } from './call-words.tsx'

const moodTones: Record<string, Tone> = { positive: 'good', neutral: 'off', negative: 'bad' }

interface Mood {
  readonly label?: string
  readonly score?: number
  readonly reason?: string
}

interface Finding {
  readonly matched?: boolean
  readonly reason?: string
  readonly action?: string
}

/** `linked`: outcomes lead to the other calls that have them. */
export function AnalysisTable({ analytics, linked = true }: { analytics: Analytics; linked?: boolean }) {
  const { summary, sentiment, disposition, data_extraction: extracted } = analytics
  const mood = sentiment as Mood | null
  const outcomes = Object.entries((disposition ?? {}) as Record<string, Finding | null>)
  const values = Object.entries(extracted ?? {})
  if (!summary && !mood && outcomes.length === 0 && values.length === 0) return null
  return (
    <section
      aria-label="Analysis"
      className="space-y-4 rounded-xl border border-line bg-surface p-5 shadow-card"
    >
      <div className="flex items-center justify-between gap-3">
        <h2 className="font-semibold">Analysis</h2>
        {mood?.label && (
          <Badge tone={moodTones[mood.label] ?? 'off'} {...(mood.reason && { title: mood.reason })}>
            {moodWords[mood.label] ?? mood.label}
          </Badge>
        )}
      </div>
      {summary && <p className="text-pretty wrap-anywhere">{summary}</p>}
      {mood?.reason && <p className="text-[0.8125rem] text-pretty text-muted">{mood.reason}</p>}
      {outcomes.length > 0 && (
        <Rows
          title="Outcomes"
          rows={outcomes.map(([name, outcome]) => ({
            name:
              linked && outcome?.matched ? (
                <Link
                  to={callsAt({ disposition: name })}
                  className="underline decoration-edge underline-offset-3"
                >
                  {plainWords(name)}
                </Link>
              ) : (
                plainWords(name)
              ),
            value: <Outcome outcome={outcome} />,
          }))}
        />
      )}
      {values.length > 0 && (
        <Rows
          title="Answers"
          rows={values.map(([name, value]) => ({
            name: plainWords(name),
            value: value === null ? <span className="text-muted">not said</span> : shown(value),
          }))}
        />
      )}
    </section>
  )
}

function Outcome({ outcome }: { outcome: Finding | null }) {
  return (
    <>
      <Badge tone={outcome?.matched ? 'good' : 'off'}>{outcome?.matched ? 'Yes' : 'No'}</Badge>
      {outcome?.reason && <p className="mt-1 text-[0.8125rem] text-muted">{outcome.reason}</p>}
      {outcome?.matched && outcome.action && outcome.action !== 'none' && (
        <p className="mt-1 text-[0.8125rem]">Next: {plainWords(outcome.action)}</p>
      )}
    </>
  )
}

interface Cells {
  readonly name: ReactNode
  readonly value: ReactNode
}

function Rows({ title, rows }: { title: string; rows: readonly Cells[] }) {
  return (
    <table className="w-full text-left">
      <caption className="pb-1 text-left text-xs font-medium text-muted">{title}</caption>
      <tbody className="divide-y divide-line border-y border-line">
        {rows.map(({ name, value }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: findings do not change
          <tr key={at} className="align-top">
            <th scope="row" className="w-2/5 py-2 pr-3 font-medium wrap-anywhere">
              {name}
            </th>
            <td className="py-2 wrap-anywhere">{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Lists and objects in words: nobody reads JSON here. */
function shown(value: unknown): string {
  if (value === null || value === undefined) return '—'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.map(shown).join(', ')
  if (typeof value !== 'object') return String(value)
  return Object.entries(value)
    .map(([name, part]) => `${plainWords(name)}: ${shown(part)}`)
    .join('; ')
}
