// The record of a finished call: duration, who ended it, the analysis and the recording.
import type { CallDetail } from '@parley/contract'
import { recordingAt } from '../api.ts'
import { SandboxBadge } from '../ui/words/sandbox-badge.tsx'
import { AnalysisTable } from './analysis-table.tsx'
import { reasonWords } from './call-words.tsx'
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
    ['Reason', record.hangup_reason ? reasonWords[record.hangup_reason] : '—'],
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
          src={recordingAt(recording.url)}
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

function Analysis({ live, record }: { live: LiveView; record: CallDetail }) {
  if (live.ended?.analysis_follows && !live.analysis)
    return <p className="text-[0.8125rem] text-muted">The call is being analysed…</p>
  return <AnalysisTable analytics={live.analysis ?? record.analytics} linked={false} />
}
