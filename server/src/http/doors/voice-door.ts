// A REQUEST'S LIFE on the Voice AI interface, in order. (Step 1, the id, is in app.ts.)
import type { InputOf, Operation } from '@parley/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../platform/db/db.ts'
import { type Answer, errorAnswer, send, success } from '../answer.ts'
import {
  type ApiKey,
  type Author,
  authenticate,
  type KeyRing,
  mustBeAllowed,
  workspaceOf,
} from '../authenticate.ts'
import type { IncomingFile } from '../body/file-tray.ts'
import { TextStream } from '../body/text-stream.ts'
import { batchUploadOf, type Upload } from '../body/upload.ts'
import { inputOf } from '../body/validate.ts'
import { Failure, fail } from '../failure.ts'
import type { AnsweredAttempt, Idempotency } from '../idempotency.ts'
import { fastifyPath } from '../path.ts'
import type { RateLimit } from '../rate-limit.ts'
import { nameSubject } from '../request-log.ts'
import { type OperationHandler, PendingWork, perform, type WorkOf } from '../work.ts'

export interface Scope {
  readonly workspaceId: string
  readonly author: Author
  /** The URL through which the client reached us, such as http://localhost:8080. */
  readonly origin: string
  /** For event streams: the last event that the client has received. */
  readonly lastEventId: string | undefined
  /** The Accept header asks for CSV rather than JSON. */
  readonly prefersCsv: boolean
  /** For operations that take forms: the body, not read yet. */
  readonly upload: Upload | undefined
  /** The file in the request, if the operation takes one. */
  readonly file?: IncomingFile | undefined
}

interface MountOptions {
  /** True for an operation with effects that a rollback cannot undo, such as a request to another server. */
  readonly actsOutside?: boolean
}

/** Registers the route of an operation. */
export type Mount<S = Scope> = <O extends Operation>(
  operation: O,
  doing: OperationHandler<O, S>,
  options?: MountOptions,
) => void

export interface VoiceDoor {
  db: Db
  keys: KeyRing
  rateLimit: RateLimit
  idempotency: Idempotency
}

/** A request that has passed steps 2 to 4. */
interface EnteredRequest {
  readonly key: ApiKey
  readonly workspaceId: string
}

export function voiceDoor(app: FastifyInstance, { db, keys, rateLimit, idempotency }: VoiceDoor): Mount {
  const enter = async (
    request: FastifyRequest,
    reply: FastifyReply,
    operation?: Operation,
  ): Promise<EnteredRequest> => {
    const key = await authenticate(keys, request.headers) // 401
    request.wide.api_key_id = key.id
    const workspaceId = workspaceOf(key, request.headers) // 411, 403
    request.wide.workspace_id = workspaceId
    if (operation) mustBeAllowed(key, operation) // 403
    await rateLimit.take(key.id, reply) // 429
    return { key, workspaceId }
  }

  const accept = (
    operation: Operation,
    request: FastifyRequest,
    { key, workspaceId }: EnteredRequest,
  ): Scope => ({
    workspaceId,
    author: { type: 'key', id: key.id },
    upload: operation.form && batchUploadOf(request), // 400
    origin: originOf(request),
    lastEventId: lastEventIdOf(request),
    prefersCsv: prefersCsv(request),
  })

  const mount: Mount = <O extends Operation>(
    operation: O,
    doing: OperationHandler<O, Scope>,
    { actsOutside = false }: MountOptions = {},
  ) => {
    const attempt = async (
      request: FastifyRequest,
      input: InputOf<O>,
      entered: EnteredRequest,
    ): Promise<AnsweredAttempt> => {
      const work = new PendingWork()
      const scope = { ...accept(operation, request, entered), work } as Scope & WorkOf<O>
      const data = await doing(input, scope) // the operation
      nameSubject(request.wide, data)
      return { answer: success(operation, data), work } // the envelope
    }
    app.route({
      method: operation.method,
      url: fastifyPath(operation.path),
      handler: async (request, reply) => {
        const entered = await enter(request, reply, operation)
        if (operation.method !== 'POST') {
          const input = await inputOf(operation, request) // 400
          const scope = accept(operation, request, entered)
          return reveal(reply, operation, await perform(db, operation, doing, input, scope))
        }

        const cacheKey = idempotency.keyOf(entered.key.id, pathOf(request), request.headers) // 400
        const earlier = await idempotency.replay(cacheKey)
        if (earlier) return replayed(request, reply, earlier)
        // The body is read outside of `once`: one that is slow to arrive must not hold up a retry on another
        // connection.
        const input = await orFailure(inputOf(operation, request)) // 400
        const manner = operation.form ? 'upload' : actsOutside ? 'outside' : 'inside'
        const { answer, isReplay } = await idempotency.once(cacheKey, manner, () =>
          orRefusal(async () => attempt(request, orThrow(input), entered), request),
        )
        return isReplay ? replayed(request, reply, answer) : send(reply, answer)
      },
    })
  }

  app.setNotFoundHandler(async (request, reply) => {
    await enter(request, reply)
    fail('ROUTE_NOT_FOUND')
  })

  return mount
}

/** A stream has no envelope. */
export const reveal = (reply: FastifyReply, operation: Operation, data: unknown): FastifyReply =>
  data instanceof TextStream ? data.send(reply) : send(reply, success(operation, data))

export const originOf = ({ protocol, host }: FastifyRequest): string => `${protocol}://${host}`

export const lastEventIdOf = ({ headers }: FastifyRequest): string | undefined =>
  headers['last-event-id']?.toString()

/** The media type that is named first wins: clients that accept both name what they prefer first. */
export function prefersCsv({ headers: { accept = '' } }: FastifyRequest): boolean {
  const csv = accept.indexOf('text/csv')
  const json = accept.indexOf('application/json')
  return csv >= 0 && (json < 0 || csv < json)
}

function replayed(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  request.wide.replayed = true
  return send(reply.header('idempotent-replayed', 'true'), answer)
}

/** Resolves to a refusal instead of rejecting. */
const orFailure = <T>(reading: Promise<T>): Promise<T | Failure> =>
  reading.catch((error: unknown) => {
    if (isRefusal(error)) return error
    throw error
  })

function orThrow<T>(outcome: T | Failure): T {
  if (outcome instanceof Failure) throw outcome
  return outcome
}

/** A refusal is an answer like any other: it is stored and replayed. */
async function orRefusal(
  attempt: () => Promise<AnsweredAttempt>,
  request: FastifyRequest,
): Promise<AnsweredAttempt> {
  try {
    return await attempt()
  } catch (error) {
    if (!isRefusal(error)) throw error
    request.wide.code = error.code
    const answer: Answer = errorAnswer(error, request.id)
    return { answer, work: new PendingWork() }
  }
}

/** An internal error, or half a request, may go better the next time. */
const isRefusal = (error: unknown): error is Failure =>
  error instanceof Failure && error.status < 500 && !error.incomplete

/** With or without a slash at its end, it is the same path. */
const pathOf = ({ url }: FastifyRequest): string => (url.split('?', 1)[0] as string).replace(/\/$/, '')
