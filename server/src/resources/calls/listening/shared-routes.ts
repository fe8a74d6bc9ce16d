// GET /shared/{session_id}/data: what a shared page shows. Authorised by the signed link; no API key, no session.
import { Id, sharedPath } from '@parley/contract'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { send, success } from '../../../http/answer.ts'
import { fail } from '../../../http/failure.ts'
import { fastifyPath } from '../../../http/path.ts'
import type { SharedCalls } from './shared-calls.ts'

const Params = z.strictObject({ session_id: Id })

export function mountSharedCalls(app: FastifyInstance, shared: SharedCalls): void {
  app.get(`${fastifyPath(sharedPath)}/data`, async (request, reply) => {
    const params = Params.safeParse(request.params)
    if (!params.success) return fail('SHARED_LINK_INVALID')
    const call = await shared.read(params.data.session_id, request.query)
    return send(reply, success({ status: 200, answers: 'json' }, call))
  })
}
