// The controls of the call: the agent, the call button, the status, and the levels of both sides.
import type { Agent, AgentConfig } from '@parley/contract'
import { voiceAddresses as voice } from '@parley/contract/addresses'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState, useSyncExternalStore } from 'react'
import { api, everyAgent } from '../api.ts'
import { useWorkspaces } from '../session/workspace.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Icon } from '../ui/controls/icons.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { hasOwnModel, ModelNotice, useModels } from '../ui/feedback/model-notice.tsx'
import { RefusalNotice } from '../ui/feedback/refusal-notice.tsx'
import { type BrowserCall, type CallStage, isUnderWay } from './browser-call.ts'
import { DevicePicker } from './device-picker.tsx'
import { LevelBar } from './level-bar.tsx'
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

/** Enough for a conversation, and small enough to understand. */
const sampleAgent: Partial<AgentConfig> = {
  agent_name: 'Receptionist',
  agent_welcome_message: 'Hello, this is Maple Dental. How can I help you?',
  agent_prompt: [
    'You are the friendly receptionist of Maple Dental.',
    'We are open from nine to five on weekdays. We are closed on weekends.',
    'A check-up costs eighty dollars.',
    'Ask for the name of the caller. Ask for the day they would like to come. Confirm, and say goodbye.',
  ].join('\n'),
  llm_agent: {},
}

interface AgentPickerProps {
  agents: readonly Agent[]
  chosen: Agent
  disabled: boolean
  onChoose(agentId: string): void
}

function AgentPicker({ agents, chosen, disabled, onChoose }: AgentPickerProps) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-[0.8125rem] font-medium">
        Agent
      </label>
      <div className="relative">
        <select
          id={id}
          value={chosen.agent_id}
          disabled={disabled}
          onChange={(event) => onChoose(event.target.value)}
          className="h-10 w-full appearance-none truncate rounded-md border border-edge bg-surface pr-8 pl-3 text-base font-medium shadow-card hover:bg-hover disabled:opacity-60 sm:text-sm"
        >
          {agents.map(({ agent_id, agent_config }) => (
            <option key={agent_id} value={agent_id}>
              {agent_config.agent_name || 'Unnamed'}
            </option>
          ))}
        </select>
        <Icon
          name="unfold"
          className="pointer-events-none absolute top-1/2 right-3 size-3.5 -translate-y-1/2 text-muted"
        />
      </div>
      {chosen.agent_config.agent_welcome_message && (
        <p className="mt-2 line-clamp-3 text-[0.8125rem] text-muted">
          “{chosen.agent_config.agent_welcome_message}”
        </p>
      )}
    </div>
  )
}
