// The rules of calls; other resources use them only through this module. A call ends once, whichever way it began.
import {
  type CallDetail,
  type CallSip,
  type getCallOverview,
  type InputOf,
  linePath,
  type NewCall,
  type NewWebCall,
  type PageQuery,
  type PlacedCall,
  type WebCall,
} from '@parley/contract'
import { fail, refuseField } from '../../http/failure.ts'
import { listOf } from '../../http/lists.ts'
import type { Work } from '../../http/work.ts'
import type { Queries } from '../../platform/db/db.ts'
import { newId, randomBase62 } from '../../platform/ids.ts'
import { sha256 } from '../../platform/secrets.ts'
import type { Agents } from '../agents/agents.ts'
import type { Outbound } from '../phone-numbers/phone-numbers.ts'
import { mustHaveRoomToday } from '../usage/usage.ts'
import { mustKeepTime } from './queue/overload.ts'
import { iceServersFor, type TurnRelay } from './queue/turn-credentials.ts'
import { callDetailOf, callSummaryOf, placedOf } from './record/call-record.ts'
import { type CallEnd, finishCalls } from './record/finish-calls.ts'
import { type QualityFilter, qualityOf } from './record/quality-store.ts'
import { signallingOf } from './record/signalling-store.ts'
import type { CallFilter } from './search/call-filter.ts'
import { readOverview } from './search/overview-store.ts'
import {
  askToStop,
  type DialledCall,
  findCall,
  insertDialled,
  insertUnjoined,
  insertWaiting,
  pageOfCalls,
} from './store.ts'

export { draftCalls } from './draft-calls.ts'
export { openListening } from './listening/listening.ts'
export { LiveCalls } from './listening/live-calls.ts'
export { sharedCalls } from './listening/shared-calls.ts'
export { agentOf } from './plan/agent-of-call.ts'
export { type OpenCredentials, readAccounts } from './plan/read-accounts.ts'
export { readSynthesizer } from './plan/read-speech.ts'
export { takeDueCalls, untilNextDue } from './record/due-events.ts'
export { eventsAfter } from './record/event-store.ts'
export type { CallEnd } from './record/finish-calls.ts'
export { isSandbox } from './store.ts'

/** Calls that were dialled elsewhere, and the end of any call. */
export const calls = (db: Queries, eventDelaySeconds: number) => ({
  async begin(call: Omit<DialledCall, 'sessionId'>): Promise<string> {
    const sessionId = newId()
    await insertDialled(db, { ...call, sessionId })
    return sessionId
  },

  /** Stores the end of the call and schedules its event, atomically. */
  async finish(sessionId: string, end: CallEnd): Promise<void> {
    await finishCalls(db, [{ ...end, sessionId }], eventDelaySeconds)
  },
})

export interface CallOperationsOptions {
  readonly db: Queries
  readonly agents: Agents
  readonly eventDelaySeconds: number
  /** A freshly signed URL of the recording. */
  readonly linkTo: (sessionId: string) => { url: string; expiry: string }
  /** The URL where browsers reach the workers, such as https://voice.example.com; undefined: the API's own. */
  readonly browserUrl?: string | undefined
  /** How long a browser has to join. */
  readonly joinSeconds: number
  /** Undefined: there is no relay for browsers. */
  readonly turn?: TurnRelay | undefined
  /** Whether this process runs calls and their sound leaves late. */
  readonly isOverloaded: () => boolean
  /** Which number and which carrier a call goes out by. */
  readonly outbound: Outbound
}

/** The operations on calls in the API. */
export const callOperations = (options: CallOperationsOptions) => {
  const { db, agents, eventDelaySeconds, linkTo } = options
  const find = async (workspaceId: string, sessionId: string) =>
    (await findCall(db, workspaceId, sessionId)) ?? fail('CALL_NOT_FOUND')

  return {
    async place(workspaceId: string, request: NewCall, work: Work): Promise<PlacedCall> {
      const at = new Date()
      const scheduledAt = request.schedule_time == null ? null : futureTime(request.schedule_time, at)
      const language = request.agent_overrides?.language
      const agent = await agents.mustTakeCalls(workspaceId, request.agent_id, work, language)
      // A scheduled call waits for its time, and for the next day if it must.
      if (!scheduledAt) {
        mustKeepTime(options.isOverloaded)
        await mustHaveRoomToday(db, workspaceId)
      }
      const { provider, phoneNumberId, from } = (await options.outbound(workspaceId)).lineFor(
        request.to_phone_number,
        {
          phoneNumberId: request.phone_number_id ?? null,
          from: request.from_phone_number ?? null,
          agentId: request.agent_id,
          agentNumberId: agent.phoneNumberId,
        },
      )
      const call = {
        sessionId: newId(),
        workspaceId,
        agentId: request.agent_id,
        to: request.to_phone_number,
        from,
        phoneNumberId,
        provider,
        status: scheduledAt ? ('scheduled' as const) : ('queued' as const),
        variables: request.variables,
        metadata: request.metadata,
        overrides: request.agent_overrides,
        scheduledAt,
        at,
      }
      for (const write of insertWaiting(call)) work.add(write)
      return {
        session_id: call.sessionId,
        agent_id: call.agentId,
        call_status: call.status,
        call_type: 'outbound',
        to_phone_number: call.to,
        from_phone_number: call.from,
        schedule_time: scheduledAt?.toISOString() ?? null,
      }
    },

    /** `origin` is the URL through which the client reached us. */
    async startWeb(workspaceId: string, request: NewWebCall, origin: string, work: Work): Promise<WebCall> {
      const at = new Date()
      await agents.mustTakeCalls(workspaceId, request.agent_id, work)
      mustKeepTime(options.isOverloaded)
      await mustHaveRoomToday(db, workspaceId)
      const token = `web_${randomBase62(40)}`
      const joinBy = new Date(at.getTime() + options.joinSeconds * 1000)
      const { agent_id: agentId, variables, metadata } = request
      const call = { sessionId: newId(), workspaceId, agentId, variables, metadata, at }
      for (const write of insertUnjoined({ ...call, tokenHash: sha256(token), joinBy })) work.add(write)
      const url = (options.browserUrl ?? origin).replace(/^http/, 'ws') + linePath
      const ice_servers = iceServersFor(options.turn, call.sessionId, at)
      return { session_id: call.sessionId, url, token, expires_at: joinBy.toISOString(), ice_servers }
    },

    /** Counts no further than `countUpTo`. */
    list: async (workspaceId: string, filter: CallFilter, query: PageQuery, countUpTo?: number) =>
      listOf(query, await pageOfCalls(db, workspaceId, filter, query, countUpTo), callSummaryOf),

    quality: (workspaceId: string, filter: QualityFilter) => qualityOf(db, workspaceId, filter),

    async get(workspaceId: string, sessionId: string): Promise<CallDetail> {
      const row = await find(workspaceId, sessionId)
      return callDetailOf(row, row.recording ? linkTo(sessionId) : { url: null, expiry: null })
    },

    overview: (workspaceId: string, query: InputOf<typeof getCallOverview>['query']) =>
      readOverview(db, workspaceId, query),

    async sip(workspaceId: string, sessionId: string): Promise<CallSip> {
      const { session_id } = await find(workspaceId, sessionId)
      const { messages, leftOut } = await signallingOf(db, session_id)
      return { messages: [...messages], left_out: leftOut }
    },

    async mustExist(workspaceId: string, sessionId: string): Promise<void> {
      await find(workspaceId, sessionId)
    },

    async stop(workspaceId: string, sessionId: string, work: Work): Promise<PlacedCall> {
      const row = await find(workspaceId, sessionId)
      if (row.finished)
        fail('CALL_STATE_CONFLICT', { message: `This call has ended already: ${row.call_status}.` })
      if (row.stop_asked) fail('CALL_STATE_CONFLICT', { message: 'This call is already being stopped.' })
      work.add(askToStop(row, eventDelaySeconds))
      return placedOf(row.waits ? { ...row, call_status: 'canceled' } : row)
    },
  }
}

export type CallOperations = ReturnType<typeof callOperations>

/** For calls and batches that are to begin later. */
export function futureTime(time: string, now = new Date()): Date {
  const at = new Date(time)
  return at > now ? at : refuseField('schedule_time', 'Must be in the future.')
}
