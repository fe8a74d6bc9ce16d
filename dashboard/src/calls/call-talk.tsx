// The conversation of a call: as it is spoken while the call runs, with its recording when it has ended.
import type { CallDetail } from '@parley/contract'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { usePlayback } from '../ui/sound/playback.ts'
import { AnalysisTable } from './analysis-table.tsx'
import { CallPlayer } from './call-player.tsx'
import { Conversation } from './conversation.tsx'
import { LatencyBars } from './latency-bars.tsx'
import type { LiveView } from './live.ts'
import { QualityTable } from './quality-table.tsx'
import { useRecording } from './recording.ts'
import { Transcript } from './transcript.tsx'
import type { CallPlace } from './use-call.ts'

interface CallTalkProps {
  place: CallPlace
  call: CallDetail
  live: LiveView
  over: boolean
  agentName: string
}

export function CallTalk({ place, call, live, over, agentName }: CallTalkProps) {
  return over ? (
    <EndedConversation place={place} call={call} live={live} agentName={agentName} />
  ) : (
    <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_18rem]">
      <section
        aria-label="Conversation"
        className="flex h-[28rem] flex-col overflow-hidden rounded-xl border border-line bg-surface shadow-card"
      >
        <Conversation live={live} agentName={agentName} callerName="Caller" begun />
      </section>
      <div>
        <LatencyBars turns={live.turns} />
      </div>
    </div>
  )
}

function EndedConversation({ place, call, live, agentName }: Omit<CallTalkProps, 'over'>) {
  const playing = usePlayback()
  const lines = call.transcript ?? []
  const recording = useRecording(call.recording.url ?? undefined)
  const turns = call.latency.turns
  const analytics = live.analysis ?? call.analytics
  if (lines.length === 0 && !recording) {
    return (
      <EmptyState icon="calls" title="Nothing was said">
        There was no conversation in this call, so there is neither a transcript nor a recording.
      </EmptyState>
    )
  }
  const playAnswer = (turn: number) => {
    const answer = lines.find((line) => line.role === 'agent' && line.turn === turn)
    if (answer) playing.seek(answer.start_time)
  }
  const aside = turns.length > 0 || Object.values(analytics).some(Boolean)
  return (
    <div className="space-y-6">
      {recording ? (
        <CallPlayer recording={recording} duration={call.duration ?? 0} playing={playing} />
      ) : (
        <p className="text-[0.8125rem] text-muted">There is no recording of this call.</p>
      )}
      <div className={aside ? 'grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_19rem]' : ''}>
        <section
          aria-label="Transcript"
          className="rounded-xl border border-line bg-surface px-1.5 py-3 shadow-card sm:px-3"
        >
          <Transcript
            lines={lines}
            agentName={agentName}
            playing={recording && playing}
            peaks={recording?.peaks}
            place={place}
          />
        </section>
        {aside && (
          <div className="space-y-6">
            {live.ended?.analysis_follows && !live.analysis && (
              <p role="status" className="text-[0.8125rem] text-muted">
                The call is being analysed…
              </p>
            )}
            <AnalysisTable analytics={analytics} />
            {call.analytics.qa && <QualityTable quality={call.analytics.qa} />}
            {turns.length > 0 && <LatencyBars turns={turns} onPlay={recording && playAnswer} />}
          </div>
        )}
      </div>
    </div>
  )
}
