// A request's life on the speech-to-text interface, in order: the key alone says whose it is, and nothing is replayed.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ApiKey, authenticateRaw, type KeyRing } from './authenticate.ts'
import { fail } from './failure.ts'
import { fastifyPath } from './path.ts'
import type { RateLimit } from './rate-limit.ts'
import { acceptUploads, type Uploads } from './upload.ts'
import { withUpload } from './validate-upload.ts'
import { type Mount, reveal } from './voice-door.ts'
import { PendingWork } from './work.ts'

export interface SpeechDoor {
  keys: KeyRing
  rateLimit: RateLimit
  uploads: Uploads
}

export function speechDoor(app: FastifyInstance, { keys, rateLimit, uploads }: SpeechDoor): Mount {
  acceptUploads(app)

  const enter = async (request: FastifyRequest, reply: FastifyReply) => {
    const key = await authenticateRaw(keys, request.headers) // 401
    request.wide.api_key_id = key.id
    const workspaceId = workspaceOf(key) // 403
    request.wide.workspace_id = workspaceId
    await rateLimit.take(key.id, reply) // 429
    return workspaceId
  }

  const mount: Mount = (operation, doing) => {
    app.route({
      method: operation.method,
      url: fastifyPath(operation.path),
      config: { upload: operation.upload !== 'none' },
      handler: async (request, reply) => {
        const workspaceId = await enter(request, reply)
        const data = await withUpload(operation, request, uploads, (input, upload) =>
          doing(input, { workspaceId, upload, lastEventId: undefined, work: new PendingWork() }),
        )
        return reveal(reply, operation.status, data)
      },
    })
  }

  app.setNotFoundHandler(async (request, reply) => {
    await enter(request, reply)
    fail('ROUTE_NOT_FOUND')
  })

  return mount
}

/** Its binding; the oldest workspace that an unbound key may enter. */
const workspaceOf = ({ workspaceId, access }: ApiKey): string =>
  workspaceId ?? [...access][0] ?? fail('WORKSPACE_ACCESS_DENIED')
