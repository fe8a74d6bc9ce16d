// The dashboard's routes: authenticated by a session cookie instead of a key, with a CSRF token.
import { timingSafeEqual } from 'node:crypto'
import fastifyCookie from '@fastify/cookie'
import { type dashboard, mountPaths, type Operation } from '@parley/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../platform/db/db.ts'
import { sha256 } from '../platform/secrets.ts'
import { fail } from './failure.ts'
import type { FileTray } from './file-tray.ts'
import { fastifyPath } from './path.ts'
import { nameSubject } from './request-log.ts'
import { listOf } from './upload.ts'
import { lastEventIdOf, type Mount, originOf, prefersCsv, reveal, type Scope } from './voice-door.ts'
import { withFile } from './with-file.ts'
import { type Doing, perform } from './work.ts'

/** A signed-in user. */
export interface Person {
  readonly user: dashboard.User
  readonly token: string
  readonly expiresAt: Date
}

/** A client that may not be signed in. */
export interface Visitor {
  readonly address: string
  startSession(token: string, expiresAt: Date): void
  endSession(): void
}

export interface Sessions {
  find(token: string): Promise<Person | undefined>
}

const cookieName = 'parley_session'

/** Derived from the session token, which a page of another origin cannot read. */
export const csrfTokenOf = (token: string): string => sha256(`csrf ${token}`).toString('base64url')

/** Null: an administrator sees every workspace. */
export const visibleTo = ({ user }: Person): string[] | null =>
  user.role === 'admin' ? null : user.workspace_ids

export interface DashboardDoor {
  /** For everyone. */
  open: Mount<Visitor>
  /** For signed-in users. */
  signedIn: Mount<Person & Visitor>
  /** For administrators. */
  admin: Mount<Person & Visitor>
  /** Operations of the Voice AI interface, under /workspaces/{workspace_id}. */
  inWorkspace: Mount<Scope>
}

export function dashboardDoor(
  app: FastifyInstance,
  sessions: Sessions,
  db: Db,
  tray?: FileTray,
): DashboardDoor {
  app.register(fastifyCookie)

  const personOf = async (request: FastifyRequest): Promise<Person> => {
    const token = request.cookies[cookieName]
    const person = (token && (await sessions.find(token))) || fail('SESSION_REQUIRED')
    request.wide.user_id = person.user.user_id
    if (!isReading(request)) checkCsrf(request, person.token)
    return person
  }

  const mountWith =
    <S extends object>(prefix: string, enter: (request: FastifyRequest, reply: FastifyReply) => Promise<S>) =>
    <O extends Operation>(operation: O, doing: Doing<O, S>): void => {
      app.route({
        method: operation.method,
        url: prefix + fastifyPath(operation.path),
        handler: async (request, reply) => {
          checkOrigin(request)
          const scope = await enter(request, reply)
          const upload = operation.form && listOf(request)
          const data = await withFile(operation, request, tray, (input, file) =>
            perform(db, operation, doing, input, { ...scope, upload, file }),
          )
          nameSubject(request.wide, data)
          return reveal(reply, operation, data)
        },
      })
    }

  const enterSignedIn = async (request: FastifyRequest, reply: FastifyReply) => ({
    ...(await personOf(request)),
    ...visitor(request, reply),
  })

  return {
    open: mountWith('', async (request, reply) => visitor(request, reply)),
    signedIn: mountWith('', enterSignedIn),
    admin: mountWith('', async (request, reply) => {
      const person = await enterSignedIn(request, reply)
      if (person.user.role !== 'admin') fail('ROLE_REQUIRED')
      return person
    }),
    inWorkspace: mountWith(fastifyPath(mountPaths.workspace), async (request) => {
      const { workspace_id: workspaceId = '', ...params } = request.params as Record<string, string>
      const person = await personOf(request)
      const visible = visibleTo(person)
      if (visible && !visible.includes(workspaceId)) fail('WORKSPACE_ACCESS_DENIED')
      request.params = params
      request.wide.workspace_id = workspaceId
      return {
        workspaceId,
        author: { type: 'user', id: person.user.user_id },
        upload: undefined,
        origin: originOf(request),
        lastEventId: lastEventIdOf(request),
        prefersCsv: prefersCsv(request),
      }
    }),
  }
}

const visitor = (request: FastifyRequest, reply: FastifyReply): Visitor => {
  // Strict: the cookie is never sent with a request that another site caused.
  const cookie = {
    path: '/dashboard',
    httpOnly: true,
    sameSite: 'strict',
    secure: request.protocol === 'https',
  } as const
  return {
    address: request.ip,
    startSession: (token, expires) => reply.setCookie(cookieName, token, { ...cookie, expires }),
    endSession: () => reply.clearCookie(cookieName, cookie),
  }
}

const isReading = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'

function checkCsrf({ headers }: FastifyRequest, token: string): void {
  const given = Buffer.from(String(headers['x-csrf-token'] ?? ''))
  const expected = Buffer.from(csrfTokenOf(token))
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) fail('CSRF_TOKEN_INVALID')
}

/** Browsers send the origin of a changing request; other origins are refused, even for signing in. */
function checkOrigin(request: FastifyRequest): void {
  const { headers } = request
  if (isReading(request) || headers.origin === undefined) return
  if (headers.origin !== originOf(request)) {
    fail('CSRF_TOKEN_INVALID', { message: 'This request comes from another site.' })
  }
}
