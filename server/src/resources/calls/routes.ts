// HTTP routes of calls.
import {
  type CallsQuery,
  dashboard,
  getCall,
  getCallOverview,
  getCallSip,
  getQuality,
  listCalls,
  placeCall,
  shareCall,
  startWebCall,
  stopCall,
  watchCall,
} from '@parley/contract'
import type { Mount } from '../../http/doors/voice-door.ts'
import { EventStream } from '../../http/event-stream.ts'
import type { Agents } from '../agents/agents.ts'
import type { CallOperations } from './calls.ts'
import type { DraftCalls } from './draft-calls.ts'
import type { LiveCalls } from './listening/live-calls.ts'
import type { SharedCalls } from './listening/shared-calls.ts'
import { eventText } from './record/event-text.ts'
import type { CallFilter } from './search/call-filter.ts'

export function mountCalls(mount: Mount, calls: CallOperations, live: LiveCalls, shared: SharedCalls): void {
  mount(placeCall, ({ body }, { workspaceId, work }) => calls.place(workspaceId, body, work))
  mount(startWebCall, ({ body }, { workspaceId, origin, work }) =>
    calls.startWeb(workspaceId, body, origin, work),
  )
  mount(listCalls, ({ query }, { workspaceId }) => {
    const { page, limit, count_up_to: countUpTo } = query
    return calls.list(workspaceId, filterOf(query), { page, limit }, countUpTo)
  })
  mount(getCall, ({ params }, { workspaceId }) => calls.get(workspaceId, params.session_id))
  mount(getQuality, ({ query: { agent_id: agentId = null, from = null, to = null } }, { workspaceId }) =>
    calls.quality(workspaceId, { agentId, from, to }),
  )
  mount(getCallSip, ({ params }, { workspaceId }) => calls.sip(workspaceId, params.session_id))
  mount(getCallOverview, ({ query }, { workspaceId }) => calls.overview(workspaceId, query))
  mount(shareCall, ({ params, body }, { workspaceId, origin }) =>
    shared.share(workspaceId, params.session_id, body.hours, origin),
  )
  mount(stopCall, ({ params }, { workspaceId, work }) => calls.stop(workspaceId, params.session_id, work))
  mount(watchCall, async ({ params }, { workspaceId, lastEventId }) => {
    await calls.mustExist(workspaceId, params.session_id)
    return new EventStream(eventText(live, params.session_id.toLowerCase(), eventNumber(lastEventId)))
  })
}

/** Only for people: a program saves its agent first. */
export function mountDraftCalls(mount: Mount, agents: Agents, drafts: DraftCalls): void {
  mount(dashboard.tryAgent, async ({ params, body }, { workspaceId, origin, work }) => {
    const { agent_config: changes, ...trial } = body
    const draft = await agents.draftOf(workspaceId, params.id, changes)
    return drafts.place(workspaceId, draft, trial, origin, work)
  })
  mount(dashboard.tryNewAgent, async ({ body }, { workspaceId, origin, work }) => {
    const { agent_config: config, ...trial } = body
    const draft = await agents.draftOfNew(workspaceId, config)
    return drafts.place(workspaceId, draft, trial, origin, work)
  })
}

const filterOf = (query: CallsQuery): CallFilter => ({
  agentId: query.agent_id,
  agentVersion: query.agent_version,
  batchId: query.batch_id,
  status: query.call_status,
  type: query.call_type,
  from: query.from,
  to: query.to,
  phoneNumberId: query.phone_number_id,
  withNumber: query.with_number,
  search: query.search,
  answered: query.answered,
  minSeconds: query.min_duration,
  maxSeconds: query.max_duration,
  hangupReason: query.hangup_reason,
  sentiment: query.sentiment,
  disposition: query.disposition,
  minScore: query.min_score,
  maxScore: query.max_score,
})

/** An id that is not one of our event numbers means: from the beginning. */
const eventNumber = (id: string | undefined): number => (/^\d{1,9}$/.test(id ?? '') ? Number(id) : 0)
