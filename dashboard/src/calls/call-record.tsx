// The record of a finished call: duration, who ended it, the analysis and the recording.
import type { CallDetail } from '@parley/contract'
import { SandboxBadge } from '../ui/sandbox-badge.tsx'
import type { LiveView } from './live.ts'

interface CallRecordProps {
  /** Undefined until it has been read. */
  record: CallDetail | undefined
  live: LiveView
}

export function CallRecord({ record, live }: CallRecordProps) {
  return (
    <div className="max-h-[60%] shrink-0 overflow-y-auto border-t border-line bg-rail p-5 lg:p-6">
      <div className="flex items-center gap-2">
        <h2 className="font-semibold">The record of this call</h2>
        {record?.sandbox && <SandboxBadge />}
      </div>
      {record ? (
        <Facts record={record} live={live} />
      ) : (
        <p className="mt-2 text-muted">It is being written down…</p>
      )}
    </div>
  )
}

function Facts({ record, live }: { record: CallDetail; live: LiveView }) {
  const { recording, latency, error_message: error } = record
  const facts = [
    ['Duration', `${(record.duration ?? 0).toFixed(1)} s`],
    ['Ended by', enders[record.call_terminated_by ?? ''] ?? '—'],
    ['Reason', (record.hangup_reason ?? '—').replaceAll('_', ' ')],
    ['Median answer', latency.p50.total === null ? '—' : `${Math.round(latency.p50.total)} ms`],
  ] as const
  return (
    <div className="mt-3 space-y-4">
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-xs text-muted">{name}</dt>
            <dd className="font-medium first-letter:uppercase">{value}</dd>
          </div>
        ))}
      </dl>
      {error && <p className="text-[0.8125rem] text-bad">{error}</p>}
      {recording.url && (
        // biome-ignore lint/a11y/useMediaCaption: the conversation above is its text
        <audio
          controls
          preload="metadata"
          src={here(recording.url)}
          aria-label="Recording"
          className="h-10 w-full"
        />
      )}
      <Analysis live={live} record={record} />
    </div>
  )
}

const enders: Record<string, string> = {
  user: 'You',
  agent: 'The agent',
  system: 'The service',
  api: 'The API',
  carrier: 'The line',
  transfer: 'A transfer',
}

/** The recording at this page's own origin: the address in the record may not be reachable from this browser. */
function here(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

function Analysis({ live, record }: { live: LiveView; record: CallDetail }) {
  const { summary, sentiment, disposition, data_extraction: extracted } = live.analysis ?? record.analytics
  if (live.ended?.analysis_follows && !live.analysis)
    return <p className="text-[0.8125rem] text-muted">The call is being analysed…</p>
  const found = [
    ['Summary', summary],
    ['Sentiment', (sentiment as { label?: string } | null)?.label],
    ['Disposition', disposition && JSON.stringify(disposition)],
    ['Found out', extracted && JSON.stringify(extracted)],
  ].filter(([, value]) => value)
  if (found.length === 0) return null
  return (
    <dl className="space-y-2 text-[0.8125rem]">
      {found.map(([name, value]) => (
        <div key={name}>
          <dt className="text-xs text-muted">{name}</dt>
          <dd className="wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
