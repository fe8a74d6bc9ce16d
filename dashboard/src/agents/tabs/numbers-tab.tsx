// The tab of telephony: the numbers whose calls this agent takes, and how it behaves on the telephone. Numbers are changed
// at once; the rest is saved with the agent.
import type { StoredPhoneNumber } from '@parley/contract'
import { voiceAddresses as voice } from '@parley/contract/addresses'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, everyPhoneNumber } from '../../api.ts'
import { Link } from '../../router.tsx'
import { useWorkspaces } from '../../session/workspace.tsx'
import { RefusalNotice } from '../../ui/feedback/refusal-notice.tsx'
import { ListSkeleton } from '../../ui/feedback/skeleton.tsx'
import { SelectField } from '../../ui/forms/choice-fields.tsx'
import { Switch } from '../../ui/forms/switch.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { SandboxBadge } from '../../ui/words/sandbox-badge.tsx'
import { useAgentNames } from '../agents.tsx'
import { More } from '../more.tsx'
import { Settings } from '../settings.tsx'
import { numberDetails, telephoneSettings } from './other-settings.ts'

/** `agentId`: undefined for an agent that does not exist yet. */
export function NumbersTab({ agentId }: { agentId: string | undefined }) {
  const workspaceId = useWorkspaces().current?.workspace_id ?? ''
  const numbers = useQuery({
    queryKey: ['numbers', workspaceId, 'every'],
    queryFn: () => everyPhoneNumber(workspaceId),
  })
  return (
    <>
      <Section title="Numbers" lead="Calls to these numbers reach this agent. A change takes effect at once.">
        {numbers.isPending && <ListSkeleton rows={2} />}
        {numbers.isError && <RefusalNotice error={numbers.error} />}
        {numbers.isSuccess && (
          <NumberList workspaceId={workspaceId} agentId={agentId} numbers={numbers.data} />
        )}
        {numbers.isSuccess && numbers.data.length > 0 && (
          <SelectField
            path="phone_number_id"
            label="Calls from"
            options={Object.fromEntries(
              numbers.data.map(({ phone_number_id, phone_number, label }) => [
                phone_number_id,
                label ? `${phone_number} (${label})` : phone_number,
              ]),
            )}
            none="The number that is switched on above, else the oldest"
            hint="Which number this agent’s calls go out from when a call names none. Saved with the agent."
          />
        )}
      </Section>
      <Section title="On the telephone" lead="Machines that pick up, and keys that are pressed.">
        <Settings of={telephoneSettings} />
        <More title="Notes of your own" of={numberDetails} />
      </Section>
    </>
  )
}

interface NumberListProps {
  workspaceId: string
  agentId: string | undefined
  numbers: readonly StoredPhoneNumber[]
}

function NumberList({ workspaceId, agentId, numbers }: NumberListProps) {
  const names = useAgentNames(workspaceId)
  if (numbers.length === 0)
    return (
      <p className="text-muted">
        This workspace has no number yet.{' '}
        <Link to="/numbers/new" className="underline">
          Add one
        </Link>
        , and it can ring this agent. Calls from a browser and simulated calls need none.
      </p>
    )
  if (agentId === undefined)
    return <p className="text-muted">Create the agent first; then numbers can be switched to it here.</p>
  return (
    <ul className="divide-y divide-line rounded-lg border border-line">
      {numbers.map((number) => (
        <NumberRow
          key={number.phone_number_id}
          workspaceId={workspaceId}
          agentId={agentId}
          number={number}
          nameOf={(id) => names?.[id] ?? 'another agent'}
        />
      ))}
    </ul>
  )
}

interface NumberRowProps {
  workspaceId: string
  agentId: string
  number: StoredPhoneNumber
  nameOf(agentId: string): string
}

function NumberRow({ workspaceId, agentId, number, nameOf }: NumberRowProps) {
  const queries = useQueryClient()
  const { phone_number_id: id, phone_number, label, provider, inbound_agent_id: rings } = number
  const change = useMutation({
    mutationFn: (body: { inbound_agent_id?: string | null; outbound_agent_id?: string | null }) =>
      api.updatePhoneNumber(workspaceId, id, body),
    onSuccess: () => {
      queries.invalidateQueries({ queryKey: ['numbers'] })
      queries.invalidateQueries({ queryKey: ['number'] })
    },
  })
  const calls = number.outbound_agent_id
  return (
    <li className="space-y-3 px-3.5 py-3">
      <div className="flex flex-wrap items-center gap-2">
        <Link to={`/numbers/${id}`} className="font-medium tabular-nums hover:underline">
          {phone_number}
        </Link>
        {label && <span className="text-muted">{label}</span>}
        {provider === 'sandbox' && <SandboxBadge />}
      </div>
      <Switch
        label={`Calls to ${phone_number} ring this agent`}
        hint={ringWords(rings, agentId, nameOf)}
        on={rings === agentId}
        needs={voice.updatePhoneNumber}
        busy={change.isPending}
        onTurn={(on) => change.mutate({ inbound_agent_id: on ? agentId : null })}
      />
      <Switch
        label={`This agent calls from ${phone_number}`}
        hint={callWords(calls, agentId, nameOf)}
        on={calls === agentId}
        needs={voice.updatePhoneNumber}
        busy={change.isPending}
        onTurn={(on) => change.mutate({ outbound_agent_id: on ? agentId : null })}
      />
      {change.isError && <RefusalNotice error={change.error} />}
    </li>
  )
}

function ringWords(rings: string | null, agentId: string, nameOf: (id: string) => string): string {
  if (rings === agentId) return 'Whoever calls it speaks to this agent.'
  return rings === null ? 'Nobody answers it now.' : `${nameOf(rings)} answers it now, and would no longer.`
}

function callWords(calls: string | null, agentId: string, nameOf: (id: string) => string): string {
  if (calls === agentId) return 'Calls of this agent that name no number show it.'
  return calls === null
    ? 'No agent in particular calls from it.'
    : `${nameOf(calls)} calls from it now, and would no longer.`
}
