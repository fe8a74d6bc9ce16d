// The rules of calls. However a call was made, it ends here, once, and its event follows.
import type { CallCompleted } from '@parley/contract'
import type { Queries } from '../../platform/db.ts'
import { newId } from '../../platform/ids.ts'
import {
  type CallEnd,
  type CallRow,
  finishCall,
  insertCall,
  type NewCall,
  takeDueCalls,
  untilNextDue,
} from './store.ts'

export type { CallEnd } from './store.ts'

/** What the event says of a call. */
export interface CallSnapshot {
  readonly workspaceId: string
  readonly agentId: string
  readonly data: CallCompleted['data']
}

export const calls = (db: Queries, eventDelaySeconds: number) => ({
  async begin(call: Omit<NewCall, 'sessionId'>): Promise<string> {
    const sessionId = newId()
    await insertCall(db, { ...call, sessionId })
    return sessionId
  },

  /** The end of the call and the promise of its event, together or not at all. */
  async finish(sessionId: string, end: CallEnd): Promise<void> {
    await finishCall(db, sessionId, end, eventDelaySeconds)
  },
})

/** Calls whose event is due, taken off the list within the caller's transaction. */
export const takeDueSnapshots = async (tx: Queries, most: number): Promise<CallSnapshot[]> =>
  (await takeDueCalls(tx, most)).map((row) => ({
    workspaceId: row.workspace_id,
    agentId: row.agent_id,
    data: eventData(row),
  }))

export const untilNextSnapshot = untilNextDue

const eventData = (row: CallRow): CallCompleted['data'] => ({
  session_id: row.session_id,
  agent_id: row.agent_id,
  call_status: row.call_status,
  to_phone_number: row.to_phone_number,
  call_type: row.call_type,
  duration: row.duration,
  call_sid: row.call_sid,
  call_initiated_time: row.call_initiated_time?.toISOString() ?? null,
  call_completed_time: row.call_completed_time?.toISOString() ?? null,
  call_terminated_by: row.call_terminated_by,
  transcript: row.transcript ?? null,
  recording: { url: row.recording?.url ?? null, expiry: row.recording?.expiry ?? null },
  analytics: {
    summary: (row.analytics?.summary as string) ?? null,
    sentiment: (row.analytics?.sentiment as Record<string, unknown>) ?? null,
    disposition: (row.analytics?.disposition as Record<string, unknown>) ?? null,
    data_extraction: (row.analytics?.data_extraction as Record<string, unknown>) ?? null,
  },
})
