// The controls of the call: the agent, the call button, the status, and the levels of both sides.
import type { Agent } from '@parley/contract'
import { voiceAddresses as voice } from '@parley/contract/addresses'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { api, everyAgent } from '../api.ts'
import { useWorkspaces } from '../session/workspace.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Icon } from '../ui/controls/icons.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { hasOwnModel, ModelNotice, useModels } from '../ui/feedback/model-notice.tsx'
import { RefusalNotice } from '../ui/feedback/refusal-notice.tsx'
import { AgentPicker } from './agent-picker.tsx'
import { type BrowserCall, type CallStage, isUnderWay } from './browser-call.ts'
import { DevicePicker } from './device-picker.tsx'
import { LevelBar } from './level-bar.tsx'
import { sampleAgent } from './sample-agent.ts'
import { StatusLine } from './status-line.tsx'

interface BoothProps {
  call: BrowserCall
  onCall: StartCall
}

/** `typing`: without a microphone. */
export type StartCall = (workspaceId: string, agent: Agent, options?: { typing: boolean }) => void

export function Booth({ call, onCall }: BoothProps) {
  const workspaceId = useWorkspaces().current?.workspace_id ?? ''
  const agents = useQuery({
    queryKey: ['agents', workspaceId, 'every'],
    queryFn: () => everyAgent(workspaceId),
    enabled: workspaceId !== '',
  })
  const active = (agents.data ?? []).filter(({ status }) => status === 'active')
  return (
    <div className="shrink-0 rounded-xl border border-line bg-surface p-5 shadow-card">
      {agents.isError && <RefusalNotice error={agents.error} />}
      {agents.isSuccess && active.length === 0 && <NoAgent workspaceId={workspaceId} />}
      {active.length > 0 && (
        <Telephone call={call} onCall={onCall} workspaceId={workspaceId} agents={active} />
      )}
    </div>
  )
}

interface TelephoneProps extends BoothProps {
  workspaceId: string
  agents: Agent[]
}

/** The agent that the address names, as in /talk?agent=…, is chosen first. */
const askedFor = () => new URLSearchParams(location.search).get('agent')

function Telephone({ call, onCall, workspaceId, agents }: TelephoneProps) {
  const view = useSyncExternalStore(call.watch, () => call.view)
  const [chosenId, setChosenId] = useState(askedFor)
  const agent = agents.find(({ agent_id }) => agent_id === chosenId) ?? (agents[0] as Agent)
  const models = useModels(workspaceId)
  const calling = isUnderWay(view)
  return (
    <div className="space-y-5">
      <AgentPicker agents={agents} chosen={agent} disabled={calling} onChoose={setChosenId} />
      {models && !models.default && !hasOwnModel(agent) && <ModelNotice />}
      {calling ? (
        <Controls call={call} stage={view.stage} />
      ) : (
        <Button
          kind="primary"
          needs={voice.startWebCall}
          className="h-11! w-full text-[0.9375rem]"
          onClick={() => onCall(workspaceId, agent)}
        >
          <Icon name="microphone" />
          {view.stage.is === 'over' ? 'Call again' : 'Start talking'}
        </Button>
      )}
      {!calling && (
        <Button
          className="w-full"
          needs={voice.startWebCall}
          onClick={() => onCall(workspaceId, agent, { typing: true })}
        >
          Type instead of talking
        </Button>
      )}
      <DevicePicker disabled={calling} />
      <StatusLine view={view} />
      <div className="space-y-3">
        <LevelBar label="You" meter={call.you} />
        <LevelBar label="Agent" meter={call.them} />
      </div>
    </div>
  )
}

function Controls({ call, stage }: { call: BrowserCall; stage: CallStage }) {
  const muted = stage.is === 'live' && stage.muted
  return (
    <div className="grid grid-cols-2 gap-2">
      <Button
        className="h-11!"
        disabled={stage.is !== 'live'}
        aria-pressed={muted}
        onClick={() => call.mute()}
      >
        <Icon name={muted ? 'muted' : 'microphone'} />
        {muted ? 'Unmute' : 'Mute'}
      </Button>
      <Button kind="danger" className="h-11!" onClick={() => call.hangUp()}>
        <Icon name="hangUp" className="size-5" />
        Hang up
      </Button>
    </div>
  )
}

function NoAgent({ workspaceId }: { workspaceId: string }) {
  const queries = useQueryClient()
  const make = useMutation({
    mutationFn: () => api.createAgent(workspaceId, sampleAgent),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['agents'] }),
  })
  const action = (
    <Button kind="primary" needs={voice.createAgent} busy={make.isPending} onClick={() => make.mutate()}>
      Create a sample agent
    </Button>
  )
  return (
    <div className="space-y-3">
      <EmptyState icon="agents" title="No agent to talk to" action={action}>
        There is no active agent in this workspace. Begin with a receptionist, and change it later in the
        dashboard.
      </EmptyState>
      {make.isError && <RefusalNotice error={make.error} />}
    </div>
  )
}
