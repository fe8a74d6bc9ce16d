// A REQUEST'S LIFE on the Voice AI interface, in order. (Step 1, the id and the body, is in app.ts.)
import type { DataOf, InputOf, Operation } from '@parley/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Answer, refusal, send, success, type Verbatim } from './answer.ts'
import { authenticate, type KeyRing } from './authenticate.ts'
import { EventStream } from './event-stream.ts'
import { Failure, fail } from './failure.ts'
import type { Attempt, Idempotency } from './idempotency.ts'
import { fastifyPath } from './path.ts'
import type { RateLimit } from './rate-limit.ts'
import { validate } from './validate.ts'
import { PendingWork, type Work } from './work.ts'
import { workspaceOf } from './workspace.ts'

export interface Scope {
  readonly workspaceId: string
  /** Where the caller reached us, as in http://localhost:8080. */
  readonly origin: string
  /** Of a stream of events: the last one that the reader has seen. */
  readonly lastEventId: string | undefined
  /** Of a POST: what is added here is committed with the answer. */
  readonly work: Work
}

export type Doing<O extends Operation, S> = (
  input: InputOf<O>,
  scope: S,
) => Promise<DataOf<O> | Verbatim | EventStream>

interface MountOptions {
  /** It does something that no rollback undoes, such as a request to someone else. */
  readonly actsOutside?: boolean
}

/** Puts one operation on the wire. */
export type Mount<S = Scope> = <O extends Operation>(
  operation: O,
  doing: Doing<O, S>,
  options?: MountOptions,
) => void

export interface VoiceDoor {
  keys: KeyRing
  rateLimit: RateLimit
  idempotency: Idempotency
}

export function voiceDoor(app: FastifyInstance, { keys, rateLimit, idempotency }: VoiceDoor): Mount {
  const enter = async (request: FastifyRequest, reply: FastifyReply) => {
    const key = await authenticate(keys, request.headers) // 401
    request.wide.api_key_id = key.id
    const workspaceId = workspaceOf(key, request.headers) // 411, 403
    request.wide.workspace_id = workspaceId
    await rateLimit.take(key.id, reply) // 429
    return { key, workspaceId }
  }

  const perform = async <O extends Operation>(
    operation: O,
    doing: Doing<O, Scope>,
    request: FastifyRequest,
    workspaceId: string,
  ) => {
    const work = new PendingWork()
    const input = validate(operation, request) // 400
    const scope = { workspaceId, work, origin: originOf(request), lastEventId: lastEventIdOf(request) }
    const data = await doing(input, scope) // the operation
    return { data, writes: work.writes }
  }

  const mount: Mount = (operation, doing, { actsOutside = false } = {}) => {
    app.route({
      method: operation.method,
      url: fastifyPath(operation.path),
      handler: async (request, reply) => {
        const { key, workspaceId } = await enter(request, reply)
        const attempt = () => perform(operation, doing, request, workspaceId)
        if (operation.method !== 'POST') return reveal(reply, operation.status, (await attempt()).data)

        const cacheKey = idempotency.keyOf(key.id, pathOf(request), request.headers) // 400
        const { answer, replayed } = await idempotency.once(cacheKey, actsOutside, () =>
          orRefusal(async () => {
            const { data, writes } = await attempt()
            return { answer: success(operation.status, data), writes } // the envelope
          }, request),
        )
        if (replayed) reply.header('idempotent-replayed', 'true')
        request.wide.replayed = replayed || undefined
        return send(reply, answer)
      },
    })
  }

  app.setNotFoundHandler(async (request, reply) => {
    await enter(request, reply)
    fail('ROUTE_NOT_FOUND')
  })

  return mount
}

/** In its envelope, unless it is a stream, which has none. */
export const reveal = (reply: FastifyReply, status: number, data: unknown): FastifyReply =>
  data instanceof EventStream ? data.send(reply) : send(reply, success(status, data))

export const originOf = ({ protocol, host }: FastifyRequest): string => `${protocol}://${host}`

export const lastEventIdOf = ({ headers }: FastifyRequest): string | undefined =>
  headers['last-event-id']?.toString()

/** A refusal is an answer like any other: it is remembered and replayed. A fault of ours is not. */
async function orRefusal(attempt: () => Promise<Attempt>, request: FastifyRequest): Promise<Attempt> {
  try {
    return await attempt()
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500) throw error
    request.wide.code = error.code
    const answer: Answer = refusal(error, request.id)
    return { answer, writes: [] }
  }
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] as string
