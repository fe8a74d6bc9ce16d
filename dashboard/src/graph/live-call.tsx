// A running call of the agent, and where in the graph it is.
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../api.ts'
import { type CallPlace, otherSide, useCallEvents } from '../calls/calls.ts'
import { Link } from '../router.tsx'
import { Badge } from '../ui/words/badge.tsx'
import type { Marks } from './drawn.ts'

// A new call is noticed within this time; its events then come by themselves.
const lookEveryMs = 2_000

/** The newest running call of an agent. */
export function useRunningCall(workspaceId: string, agentId: string) {
  const { data } = useQuery({
    queryKey: ['calls', workspaceId, 'running', agentId],
    queryFn: () => api.calls(workspaceId, 1, { agent_id: agentId, call_status: 'in-progress' }),
    refetchInterval: lookEveryMs,
  })
  return data?.data[0]
}

interface LiveCallProps {
  place: CallPlace
  call: Parameters<typeof otherSide>[0]
  /** The node at which a call is before its first event. */
  start: string | undefined
  onMarks(marks: Marks | undefined): void
}

export function LiveCall({ place, call, start, onMarks }: LiveCallProps) {
  const { path, ended } = useCallEvents(place)
  const live = path.at(-1) ?? start
  useEffect(() => {
    onMarks(ended ? undefined : { live, path })
  }, [live, path, ended, onMarks])
  useEffect(() => () => onMarks(undefined), [onMarks])
  if (ended) return null
  return (
    <p role="status" className="flex flex-wrap items-center gap-2 text-[0.8125rem]">
      <Badge tone="good" dot>
        Running
      </Badge>
      <Link to={`/calls/${place.sessionId}`} className="underline decoration-edge underline-offset-3">
        {otherSide(call)}
      </Link>
      {live && <span>is at {live}</span>}
    </p>
  )
}
