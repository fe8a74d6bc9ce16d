// One call: live while it runs, then its recording, transcript, analysis and everything else that is known of it.
import type { CallDetail, dashboard } from '@parley/contract'
import { voiceAddresses as voice } from '@parley/contract/addresses'
import { useState } from 'react'
import { useAgentNames } from '../agents/agents.tsx'
import { CallPath } from '../graph/graph.tsx'
import { Link } from '../router.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Copyable } from '../ui/controls/copyable.tsx'
import { Icon } from '../ui/controls/icons.tsx'
import { RecordShell } from '../ui/feedback/record-shell.tsx'
import { Card, Facts } from '../ui/layout/facts.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { Tabs } from '../ui/layout/tabs.tsx'
import { DraftBadge } from '../ui/words/draft-badge.tsx'
import { SandboxBadge } from '../ui/words/sandbox-badge.tsx'
import { When } from '../ui/words/when.tsx'
import { costWords } from './call-costs.tsx'
import { CallDeliveries } from './call-deliveries.tsx'
import { CallDetails } from './call-details.tsx'
import { CallTalk } from './call-talk.tsx'
import {
  answererWords,
  CallBadge,
  isOver,
  lateSoundWords,
  lengthWords,
  otherSide,
  reasonWords,
  typeWords,
} from './call-words.tsx'
import { ListenButton } from './listen-button.tsx'
import type { LiveView } from './live.ts'
import { ShareDialog } from './share-dialog.tsx'
import { SipLadder, useSip } from './sip-ladder.tsx'
import { StopButton } from './stop-button.tsx'
import { type CallPlace, useCall, useCallEvents } from './use-call.ts'

interface CallPageProps {
  workspace: dashboard.Workspace
  sessionId: string
}

export function CallPage({ workspace, sessionId }: CallPageProps) {
  const place = { workspaceId: workspace.workspace_id, sessionId }
  const call = useCall(place)
  const live = useCallEvents(place)
  return (
    <RecordShell
      query={call}
      what="call"
      list="calls"
      workspace={workspace}
      whyGone="Records are deleted after the time that the operator has set."
      keepsFormer
    >
      {(call) => <LoadedCall place={place} call={call} live={live} />}
    </RecordShell>
  )
}

interface LoadedCallProps {
  place: CallPlace
  call: CallDetail
  live: LiveView
}

const tabs = {
  conversation: 'Conversation',
  path: 'Path',
  details: 'Details',
  deliveries: 'Deliveries',
  signalling: 'SIP messages',
  raw: 'JSON',
}

function LoadedCall({ place, call, live }: LoadedCallProps) {
  const [tab, setTab] = useState<keyof typeof tabs>('conversation')
  const [sharing, setSharing] = useState(false)
  const agentName = useAgentNames(place.workspaceId)?.[call.agent_id] ?? 'Agent'
  // Events are a little ahead of the record.
  const ahead = live.status as CallDetail['call_status']
  const status = isOver(call.call_status) || ahead === 'queued' ? call.call_status : ahead
  const over = isOver(status)
  const steps = pathOf(call, live)
  const sip = useSip(place, { over, isOverTrunk: !call.sandbox && call.call_type !== 'web' })
  const shown = {
    ...tabs,
    path: steps.length > 0 && tabs.path,
    signalling: sip !== undefined && tabs.signalling,
  }
  const notes = live.entries.flatMap((entry) => (entry.is === 'note' ? [entry.text] : []))
  return (
    <>
      <PageHeader
        title={otherSide(call)}
        back={{ to: '/calls', label: 'Calls' }}
        badge={
          <>
            <CallBadge {...call} call_status={status} />
            {call.sandbox && <SandboxBadge />}
            {call.draft && <DraftBadge />}
          </>
        }
        action={
          over ? (
            <Button needs={voice.shareCall} onClick={() => setSharing(true)}>
              <Icon name="share" className="size-3.5" />
              Share
            </Button>
          ) : (
            <>
              <ListenButton place={place} />
              <StopButton place={place} />
            </>
          )
        }
      />
      <Card>
        <Facts facts={factsOf(call, agentName)} />
        {call.error_message && <p className="text-bad">{call.error_message}</p>}
        {call.line?.frames_late !== undefined && (
          <p className="text-wait">{lateSoundWords(call.line.frames_late)}</p>
        )}
      </Card>
      <div className="mt-7">
        <Tabs<keyof typeof tabs>
          label="Parts of the record"
          tabs={shown}
          chosen={tab}
          controls="call-part"
          onChoose={setTab}
        />
      </div>
      <div id="call-part" role="tabpanel" aria-label={tabs[tab]}>
        {tab === 'conversation' && (
          <CallTalk place={place} call={call} live={live} over={over} agentName={agentName} />
        )}
        {tab === 'path' && (
          <CallPath
            place={place}
            agentId={call.agent_id}
            version={call.agent_version}
            steps={steps}
            over={over}
          />
        )}
        {tab === 'details' && <CallDetails call={call} notes={notes} />}
        {tab === 'deliveries' && <CallDeliveries place={place} />}
        {tab === 'signalling' && sip && <SipLadder sip={sip} />}
        {tab === 'raw' && <Copyable text={JSON.stringify(call, null, 2)} label="record" long />}
      </div>
      {sharing && <ShareDialog place={place} onClose={() => setSharing(false)} />}
    </>
  )
}

/** The nodes of the call, in order. Events name every node; records of older releases name only those that spoke. */
function pathOf({ transcript }: CallDetail, { path }: LiveView): readonly string[] {
  if (path.length > 0) return path
  const spoke = (transcript ?? []).flatMap(({ node_id }) => (node_id === undefined ? [] : [node_id]))
  return spoke.filter((id, at) => id !== spoke[at - 1])
}

function factsOf(call: CallDetail, agentName: string) {
  const { latency } = call
  const cost = costWords(call.cost)
  const milliseconds = (name: string, value: number | null) =>
    value !== null && { [name]: `${Math.round(value)} ms` }
  return {
    Direction: typeWords[call.call_type],
    Agent: (
      <Link to={`/agents/${call.agent_id}`} className="underline decoration-edge underline-offset-3">
        {agentName}
      </Link>
    ),
    ...(call.agent_version !== null && {
      Version: (
        <Link
          to={`/agents/${call.agent_id}/versions?version=${call.agent_version}`}
          className="underline decoration-edge underline-offset-3"
        >
          {call.agent_version}
        </Link>
      ),
    }),
    When: <When at={call.call_initiated_time ?? call.created_at} />,
    ...(call.duration !== null && { Length: lengthWords(call.duration) }),
    ...(call.answered_by && { 'Answered by': answererWords[call.answered_by] ?? call.answered_by }),
    ...(call.hangup_reason && { 'Ended because': reasonWords[call.hangup_reason] }),
    ...(cost && { Cost: cost }),
    ...milliseconds('Median answer', latency.p50.total),
    ...milliseconds('Slowest answers', latency.p95.total),
    ...(call.from_phone_number &&
      call.to_phone_number && {
        [call.call_type === 'inbound' ? 'To' : 'From']:
          call.call_type === 'inbound' ? call.to_phone_number : call.from_phone_number,
      }),
    ...(call.batch_id && {
      Batch: (
        <Link to={`/batches/${call.batch_id}`} className="underline decoration-edge underline-offset-3">
          Open
        </Link>
      ),
    }),
  }
}
