// The life of a request on the speech-to-text interface, in order: the key alone determines the workspace, and nothing
// is replayed.
import type { Operation } from '@parley/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../platform/db/db.ts'
import { type ApiKey, authenticateRaw, type KeyRing, mustBeAllowed } from '../authenticate.ts'
import type { FileTray } from '../body/file-tray.ts'
import { withFile } from '../body/with-file.ts'
import { fail } from '../failure.ts'
import { fastifyPath } from '../path.ts'
import type { RateLimit } from '../rate-limit.ts'
import { perform } from '../work.ts'
import { type Mount, originOf, reveal } from './voice-door.ts'

export interface SpeechDoor {
  db: Db
  keys: KeyRing
  rateLimit: RateLimit
  tray: FileTray
}

export function transcriptionDoor(app: FastifyInstance, { db, keys, rateLimit, tray }: SpeechDoor): Mount {
  const enter = async (request: FastifyRequest, reply: FastifyReply, operation?: Operation) => {
    const key = await authenticateRaw(keys, request.headers) // 401
    request.wide.api_key_id = key.id
    const workspaceId = workspaceOf(key) // 403
    request.wide.workspace_id = workspaceId
    if (operation) mustBeAllowed(key, operation) // 403
    await rateLimit.take(key.id, reply) // 429
    return { workspaceId, author: { type: 'key', id: key.id } } as const
  }

  const mount: Mount = (operation, doing) => {
    app.route({
      method: operation.method,
      url: fastifyPath(operation.path),
      handler: async (request, reply) => {
        const scope = {
          ...(await enter(request, reply, operation)),
          origin: originOf(request),
          upload: undefined,
          lastEventId: undefined,
          prefersCsv: false,
        }
        const data = await withFile(operation, request, tray, (input, file) =>
          perform(db, operation, doing, input, { ...scope, file }),
        )
        return reveal(reply, operation, data)
      },
    })
  }

  app.setNotFoundHandler(async (request, reply) => {
    await enter(request, reply)
    fail('ROUTE_NOT_FOUND')
  })

  return mount
}

/** The workspace the key is bound to; for an unbound key, the oldest it has access to. */
const workspaceOf = ({ workspaceId, access }: ApiKey): string =>
  workspaceId ?? [...access][0] ?? fail('WORKSPACE_ACCESS_DENIED')
