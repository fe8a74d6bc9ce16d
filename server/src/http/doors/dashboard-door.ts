// The dashboard's routes: authenticated by a session cookie instead of a key, with a CSRF token and a role.
import { timingSafeEqual } from 'node:crypto'
import fastifyCookie from '@fastify/cookie'
import { type dashboard, isAtLeast, mountPaths, type Operation, type Role } from '@parley/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../platform/db/db.ts'
import { sha256 } from '../../platform/secrets.ts'
import { mustBeAtLeast } from '../authenticate.ts'
import type { FileTray } from '../body/file-tray.ts'
import { TextStream } from '../body/text-stream.ts'
import { batchUploadOf } from '../body/upload.ts'
import { withFile } from '../body/with-file.ts'
import { fail } from '../failure.ts'
import { fastifyPath } from '../path.ts'
import { nameSubject } from '../request-log.ts'
import { type OperationHandler, perform } from '../work.ts'
import type { Admissions } from './admissions.ts'
import { lastEventIdOf, originOf, prefersCsv, reveal, type Scope } from './voice-door.ts'

/** A signed-in user. */
export interface Person {
  readonly user: dashboard.User
  readonly sessionId: string
  readonly token: string
  readonly expiresAt: Date
  /** Whether the user has done nothing for a while. */
  readonly unseen: boolean
}

/** A client that may not be signed in. */
export interface Visitor {
  readonly address: string
  /** As the browser names itself. */
  readonly device: string | null
  /** The URL through which the client reached us. */
  readonly origin: string
  startSession(token: string, expiresAt: Date): void
  endSession(): void
}

export interface Sessions {
  find(token: string): Promise<Person | undefined>
  /** Records that the user is active. */
  seen(person: Person, address: string): Promise<void>
  /** False if there is no such workspace, or it is being deleted. */
  isOpen(workspaceId: string): Promise<boolean>
}

const cookieName = 'parley_session'

/** Derived from the session token, which a page of another origin cannot read. */
export const csrfTokenOf = (token: string): string => sha256(`csrf ${token}`).toString('base64url')

/** Undefined: no role. An owner may do everything everywhere. */
export const roleIn = ({ user }: Person, workspaceId: string): Role | undefined =>
  user.owner ? 'admin' : user.workspaces.find(({ workspace_id }) => workspace_id === workspaceId)?.role

/** The workspaces in which somebody has at least this role. Null: in every one. */
export const visibleTo = ({ user }: Person, role: Role): string[] | null =>
  user.owner
    ? null
    : user.workspaces.filter((one) => isAtLeast(one.role, role)).map(({ workspace_id }) => workspace_id)

export interface DashboardDoorParts {
  readonly sessions: Sessions
  readonly db: Db
  readonly tray?: FileTray | undefined
  /** Streams that end when those who have them may not any more. */
  readonly admissions: Admissions
}

export function dashboardDoor(app: FastifyInstance, { sessions, db, tray, admissions }: DashboardDoorParts) {
  app.register(fastifyCookie)

  const personOf = async (request: FastifyRequest): Promise<Person> => {
    const person = await personWith(sessions, request.cookies[cookieName])
    request.wide.user_id = person.user.user_id
    if (!isReading(request)) checkCsrf(request, person.token)
    await sessions.seen(person, request.ip)
    return person
  }

  const mountWith =
    <S extends object>(
      prefix: string,
      enter: (request: FastifyRequest, reply: FastifyReply, operation: Operation) => Promise<S>,
    ) =>
    <O extends Operation>(operation: O, doing: OperationHandler<O, S>): void => {
      app.route({
        method: operation.method,
        url: prefix + fastifyPath(operation.path),
        handler: async (request, reply) => {
          checkOrigin(request)
          const { params } = request
          const scope = await enter(request, reply, operation)
          const upload = operation.form && batchUploadOf(request)
          const data = await withFile(operation, request, tray, (input, file) =>
            perform(db, operation, doing, input, { ...scope, upload, file }),
          )
          nameSubject(request.wide, data)
          if (data instanceof TextStream) {
            const again = async () => {
              request.params = params
              await enter(request, reply, operation)
            }
            admissions.watch(again, reply.raw)
          }
          return reveal(reply, operation, data)
        },
      })
    }

  return {
    /** Mounts an operation that is open to everyone. */
    open: mountWith<Visitor>('', async (request, reply) => visitor(request, reply)),
    /** Mounts an operation for signed-in users with the role that it asks for. */
    signedIn: mountWith<Person & Visitor>('', async (request, reply, operation) => {
      const person = await personOf(request)
      await mustBeAllowed(sessions, person, operation, request.params as Record<string, string>)
      return { ...person, ...visitor(request, reply) }
    }),
    /** Operations of the Voice AI interface, under /workspaces/{workspace_id}. */
    inWorkspace: mountWith<Scope>(fastifyPath(mountPaths.workspace), async (request, _reply, operation) => {
      const { workspace_id: workspaceId = '', ...params } = request.params as Record<string, string>
      const person = await personOf(request)
      await mustHaveRole(sessions, person, workspaceId, operation.access as Role)
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

export type DashboardDoor = ReturnType<typeof dashboardDoor>

/** Finds the person behind a connection that is no request of this door. */
export async function personWith(sessions: Sessions, token: string | undefined): Promise<Person> {
  return (token && (await sessions.find(token))) || fail('SESSION_REQUIRED')
}

/** The token in the header of a request that Fastify has not seen. */
export const tokenIn = (cookies: string | undefined): string | undefined =>
  cookies
    ?.split(';')
    .map((cookie) => cookie.trim().split('='))
    .find(([name]) => name === cookieName)?.[1]

/** Below /workspaces/{id} the role in that workspace counts; elsewhere one workspace with the role is enough. */
async function mustBeAllowed(
  sessions: Sessions,
  person: Person,
  { path, access }: Operation,
  { id = '' }: Record<string, string>,
): Promise<void> {
  if (access === 'anyone' || access === 'person') return
  if (access === 'owner') {
    if (!person.user.owner) fail('ROLE_REQUIRED', { message: ownersOnly })
  } else if (path.startsWith('/workspaces/{id}')) await mustHaveRole(sessions, person, id, access)
  else if (visibleTo(person, access)?.length === 0) mustBeAtLeast(undefined, access)
}

const ownersOnly = 'Only an owner of this installation may do this.'

/** Throws if somebody has a lesser role in this workspace, or none. */
export async function mustHaveRole(
  sessions: Sessions,
  person: Person,
  workspaceId: string,
  needed: Role,
): Promise<void> {
  const role = roleIn(person, workspaceId.toLowerCase())
  if (role === undefined || (person.user.owner && !(await sessions.isOpen(workspaceId))))
    fail('WORKSPACE_ACCESS_DENIED')
  mustBeAtLeast(role, needed)
}

// Browsers name themselves in about a hundred characters.
const longestDevice = 300

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
    device: request.headers['user-agent']?.slice(0, longestDevice) ?? null,
    origin: originOf(request),
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
