// What is known of one call: its record in the cache, and what its events add up to.
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

// Events tell of a running call; of one that waits in the queue, only this does.
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

/** Tells after every event what all of them add up to, until the last one. Returns what stops it. */
export function followCall(
  { workspaceId, sessionId }: CallPlace,
  onChange: (view: LiveView) => void,
): () => void {
  const source = api.watchCall(workspaceId, sessionId)
  let view = nothingYet
  const take = (name: CallEventName) => (event: MessageEvent<string>) => {
    view = follow(view, name, JSON.parse(event.data))
    // Left open, the browser would reconnect to a stream that has ended.
    if (view.ended && (view.analysis || !view.ended.analysis_follows)) source.close()
    onChange(view)
  }
  for (const name of eventNames) source.addEventListener(name, take(name))
  return () => source.close()
}

/** From the first event on, whether the call runs or has ended: notes and tools are found in its events only. */
export function useCallEvents({ workspaceId, sessionId }: CallPlace): LiveView {
  const queries = useQueryClient()
  const [view, setView] = useState(nothingYet)
  useEffect(() => {
    setView(nothingYet)
    const place = { workspaceId, sessionId }
    return followCall(place, (next) => {
      setView(next)
      // The record knows now what the events do not tell.
      if (next.ended) queries.invalidateQueries({ queryKey: callKey(place, 'itself') })
    })
  }, [workspaceId, sessionId, queries])
  return view
}
