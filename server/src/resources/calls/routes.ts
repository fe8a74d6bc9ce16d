// HTTP routes of calls.
import {
  type CallsQuery,
  dashboard,
  getCall,
  getCallOverview,
  getCallSip,
  getQuality,
  Id,
  listCalls,
  placeCall,
  shareCall,
  sharedPath,
  startWebCall,
  stopCall,
  watchCall,
} from '@parley/contract'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { send, success } from '../../http/answer.ts'
import { answerInRange } from '../../http/body/ranged-answer.ts'
import { EventStream } from '../../http/body/text-stream.ts'
import type { Mount } from '../../http/doors/voice-door.ts'
import { fail } from '../../http/failure.ts'
import { fastifyPath } from '../../http/path.ts'
import { wavHeaderBytes } from '../../media/wav.ts'
import { PeakMeter } from '../../media/wave-peaks.ts'
import type { Agents } from '../agents/agents.ts'
import type { CallOperations } from './calls.ts'
import type { DraftCalls } from './draft-calls.ts'
import { eventText, type LiveCalls } from './listening/live-calls.ts'
import type { SharedCalls } from './listening/shared-calls.ts'
import { type PlayableRecording, type Recordings, recordingName } from './recordings/recordings.ts'
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

/** Mounts trials for people only: a program saves its agent first. */
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

const OneCall = z.strictObject({ session_id: Id })

// A wide screen can tell as many stretches apart.
const drawnStretches = 800

/**
 * GET and HEAD /recordings/{session_id}: authorised by the signed URL, mostly for browsers. No API key, no envelope.
 */
export function mountRecordings(app: FastifyInstance, recordings: Recordings): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/recordings/:session_id',
    handler: async (request, reply) => {
      const params = OneCall.safeParse(request.params)
      if (!params.success) return fail('RECORDING_LINK_INVALID')
      const { session_id: sessionId } = params.data
      recordings.mustBeSigned(sessionId, request.query)
      const recording = await recordings.find(sessionId)
      reply.headers({
        'content-type': 'audio/wav',
        'content-disposition': `inline; filename="${recordingName(sessionId)}"`,
      })
      return answerInRange(request, reply, recording)
    },
  })
  app.get('/recordings/:session_id/peaks', async (request, reply) => {
    const params = OneCall.safeParse(request.params)
    if (!params.success) return fail('RECORDING_LINK_INVALID')
    recordings.mustBeSigned(params.data.session_id, request.query)
    const peaks = await peaksOf(await recordings.find(params.data.session_id))
    return send(reply, success({ status: 200, answers: 'json' }, peaks))
  })
}

/** What a player draws; a recording of hours is read here once instead of in every browser. */
async function peaksOf({ bytes, read }: PlayableRecording) {
  const meter = new PeakMeter(bytes - wavHeaderBytes, drawnStretches)
  const header = Buffer.alloc(wavHeaderBytes)
  if (bytes <= wavHeaderBytes) return { seconds: 0, ...meter.peaks }
  for await (const chunk of await read({ first: 0, last: wavHeaderBytes - 1 })) header.set(chunk as Buffer)
  for await (const chunk of await read({ first: wavHeaderBytes, last: bytes - 1 })) meter.add(chunk as Buffer)
  return { seconds: (bytes - wavHeaderBytes) / header.readUInt32LE(28), ...meter.peaks }
}

/** GET /shared/{session_id}/data: what a shared page shows. Authorised by the signed link; no API key, no session. */
export function mountSharedCalls(app: FastifyInstance, shared: SharedCalls): void {
  app.get(`${fastifyPath(sharedPath)}/data`, async (request, reply) => {
    const params = OneCall.safeParse(request.params)
    if (!params.success) return fail('SHARED_LINK_INVALID')
    const call = await shared.read(params.data.session_id, request.query)
    return send(reply, success({ status: 200, answers: 'json' }, call))
  })
}
