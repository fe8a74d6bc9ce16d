// What the overview asks for: how calls went, what they cost, and how good they were.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { startOf } from '../calls/calls.ts'

/** The period and the filters of the overview, as they are in the address. */
export interface View {
  readonly since: string
  readonly agent_id?: string
  readonly phone_number_id?: string
}

// The interval of refreshes: no load for the server, and still recent for the reader.
const askAgainMs = 15_000

const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

export function useOverview(workspaceId: string, { since, ...whose }: View) {
  return useQuery({
    queryKey: ['overview', workspaceId, since, whose],
    queryFn: () => api.callOverview(workspaceId, { from: startOf(since), timezone: zone(), ...whose }),
    placeholderData: keepPreviousData,
    refetchInterval: askAgainMs,
  })
}

export function useQuality(workspaceId: string, { since, agent_id }: View) {
  return useQuery({
    queryKey: ['quality', workspaceId, since, agent_id],
    queryFn: () => api.quality(workspaceId, { from: startOf(since), agent_id }),
    placeholderData: keepPreviousData,
  })
}

/** What calls cost, by agent or by number. Null: not known. */
export interface Costs {
  readonly currency: string | null
  readonly total: number | null
  of(id: string | null): number | null
}

export function useCosts(workspaceId: string, group: 'agent' | 'number', { since, agent_id }: View): Costs {
  const { data } = useQuery({
    queryKey: ['usage', workspaceId, 'cost', group, since, agent_id],
    queryFn: () => api.usage(workspaceId, { group_by: group, from: startOf(since), agent_id }),
    placeholderData: keepPreviousData,
  })
  return {
    currency: data?.currency ?? null,
    total: data?.totals.cost ?? null,
    of: (id) => data?.data.find(({ key }) => key === id)?.cost ?? null,
  }
}
