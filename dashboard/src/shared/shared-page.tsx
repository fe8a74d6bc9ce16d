// A call as its link shows it: recording, transcript and analysis.
import type { SharedCall } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { sharedCall } from '../api.ts'
import {
  AnalysisTable,
  CallBadge,
  CallPlayer,
  lengthWords,
  otherSide,
  reasonWords,
  Transcript,
  typeWords,
  useRecording,
} from '../calls/calls.ts'
import { Logo } from '../ui/controls/icons.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { FormSkeleton } from '../ui/feedback/skeleton.tsx'
import { Card, Facts } from '../ui/layout/facts.tsx'
import { usePlayback } from '../ui/sound/playback.ts'
import { SandboxBadge } from '../ui/words/sandbox-badge.tsx'
import { ExactTime } from '../ui/words/when.tsx'

export function SharedPage() {
  const call = useQuery({
    queryKey: ['shared'],
    queryFn: () => sharedCall(location),
    refetchOnWindowFocus: false,
  })
  return (
    <div className="min-h-dvh">
      <title>A call · Parley</title>
      <header className="flex h-14 items-center gap-2.5 border-b border-line bg-rail px-4 sm:px-8">
        <Logo />
        <span className="text-[0.9375rem] font-semibold tracking-tight">Parley</span>
        {call.data && (
          <span className="ml-auto text-[0.8125rem] text-muted">
            Link works until <ExactTime at={call.data.expires_at} />
          </span>
        )}
      </header>
      <main className="mx-auto w-full max-w-5xl px-4 py-6 sm:px-8 sm:py-10">
        {call.isPending && <FormSkeleton />}
        {call.isError && (
          <EmptyState icon="alert" title="This link does not work">
            {call.error.message}
          </EmptyState>
        )}
        {call.data && <SharedCallView call={call.data} />}
      </main>
    </div>
  )
}

function SharedCallView({ call }: { call: SharedCall }) {
  const playing = usePlayback()
  const recording = useRecording(call.recording.url ?? undefined)
  return (
    <div className="space-y-6">
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="text-xl font-semibold tracking-tight wrap-anywhere">{otherSide(call)}</h1>
        <CallBadge {...call} />
        {call.sandbox && <SandboxBadge />}
      </div>
      <Card>
        <Facts
          facts={{
            Direction: typeWords[call.call_type],
            Agent: call.agent_name ?? '—',
            When: <ExactTime at={call.call_initiated_time ?? call.created_at} />,
            Length: lengthWords(call.duration),
            ...(call.hangup_reason && { 'Ended because': reasonWords[call.hangup_reason] }),
          }}
        />
      </Card>
      {recording && <CallPlayer recording={recording} duration={call.duration ?? 0} playing={playing} />}
      <AnalysisTable analytics={call.analytics} linked={false} />
      <section
        aria-label="Transcript"
        className="rounded-xl border border-line bg-surface px-1.5 py-3 shadow-card sm:px-3"
      >
        <Transcript
          lines={call.transcript ?? []}
          agentName={call.agent_name ?? 'Agent'}
          playing={recording && playing}
          peaks={recording?.peaks}
        />
        {!call.transcript?.length && <p className="px-3 py-2 text-muted">Nothing was said.</p>}
      </section>
    </div>
  )
}
