// Chooses the agent to talk to.
import type { Agent } from '@parley/contract'
import { useId } from 'react'
import { Icon } from '../ui/controls/icons.tsx'

interface AgentPickerProps {
  agents: readonly Agent[]
  chosen: Agent
  disabled: boolean
  onChoose(agentId: string): void
}

export function AgentPicker({ agents, chosen, disabled, onChoose }: AgentPickerProps) {
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
