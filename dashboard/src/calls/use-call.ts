// The cached data of one call: its record, and what its events add up to.
import type { CallEventName } from '@parley/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../api.ts'
import { isOver } from './call-words.tsx'
import { eventNames, follow, type LiveView, nothingYet } from './live.ts'

export interface CallPlace {
  readonly workspaceId: string
  readonly sessionId: string
}

export const callKey = ({ workspaceId, sessionId }: CallPlace, ...more: unknown[]) => [
  'call',
  workspaceId,
  sessionId,
  ...more,
]

// Events tell of a running call; of one that waits, only this does.
const askAgainMs = 5_000

export const useCall = (place: CallPlace) =>
  useQuery({
    queryKey: callKey(place, 'itself'),
    queryFn: () => api.call(place.workspaceId, place.sessionId),
    staleTime: 0,
    // Every answer signs the recording anew, which would start a player again.
    refetchOnWindowFocus: false,
    refetchInterval: ({ state }) => state.data !== undefined && !isOver(state.data.call_status) && askAgainMs,
  })

/** From the first event on, whether the call runs or has ended: notes and tools are found in its events only. */
export function useCallEvents({ workspaceId, sessionId }: CallPlace): LiveView {
  const queries = useQueryClient()
  const [view, setView] = useState(nothingYet)
  useEffect(() => {
    setView(nothingYet)
    const source = api.watchCall(workspaceId, sessionId)
    const refresh = () =>
      queries.invalidateQueries({ queryKey: callKey({ workspaceId, sessionId }, 'itself') })
    const take = (name: CallEventName) => (event: MessageEvent<string>) => {
      const data = JSON.parse(event.data)
      setView((before) => follow(before, name, data))
      const last = name === 'analysis' || (name === 'ended' && !data.analysis_follows)
      if (last) source.close()
      if (last || name === 'ended') refresh()
    }
    for (const name of eventNames) source.addEventListener(name, take(name))
    return () => source.close()
  }, [workspaceId, sessionId, queries])
  return view
}
