// Step 2: authentication. Four headers may carry the key; a Bearer scheme is always refused.
import type { IncomingHttpHeaders } from 'node:http'
import { isAtLeast, type Operation, type Role } from '@parley/contract'
import { fail } from './failure.ts'

export interface ApiKey {
  readonly id: string
  readonly active: boolean
  /** The bound workspace; an unbound key names its workspace in every request. */
  readonly workspaceId: string | null
  /** The workspaces that an unbound key may name, oldest first. */
  readonly access: ReadonlySet<string>
  /** The role that limits what the key may do. Null: everything. */
  readonly role: Role | null
}

export interface KeyRing {
  find(key: string): Promise<ApiKey | undefined>
}

export async function authenticate(ring: KeyRing, headers: IncomingHttpHeaders): Promise<ApiKey> {
  if (isBearer(headers.authorization)) fail('BEARER_NOT_SUPPORTED')
  return findCarried(ring, headers)
}

/** Programs of assistants send the key they are given as a Bearer token; the other headers count as well. */
export const authenticateAssistant = (ring: KeyRing, headers: IncomingHttpHeaders): Promise<ApiKey> =>
  findCarried(ring, { ...headers, authorization: headers.authorization?.replace(/^\s*bearer\s+/i, '') })

async function findCarried(ring: KeyRing, headers: IncomingHttpHeaders): Promise<ApiKey> {
  const given = [
    headers['x-api-key'],
    headers['svc-api-key'],
    headers['x-svc-api-key'],
    headers.authorization,
  ]
  const carried = given.find((value) => typeof value === 'string' && value.trim() !== '')
  if (typeof carried !== 'string') fail('API_KEY_MISSING')
  return mustBeActive(await ring.find(carried.trim()))
}

/**
 * On the speech-to-text API the key is the raw value of the Authorization header, and no other header counts.
 */
export async function authenticateRaw(
  ring: KeyRing,
  { authorization }: IncomingHttpHeaders,
): Promise<ApiKey> {
  const where = 'the key itself as the value of the Authorization header'
  if (isBearer(authorization)) {
    fail('BEARER_NOT_SUPPORTED', { message: `The Bearer scheme is not accepted; send ${where}.` })
  }
  const carried = authorization?.trim()
  if (!carried) fail('API_KEY_MISSING', { message: `Send ${where}.` })
  return mustBeActive(await ring.find(carried))
}

/** Operations of these interfaces are for roles only. */
export function mustBeAllowed({ role }: ApiKey, { access }: Pick<Operation, 'access'>): void {
  if (role) mustBeAtLeast(role, access as Role)
}

function mustBeActive(key: ApiKey | undefined): ApiKey {
  if (!key) fail('API_KEY_INVALID')
  if (!key.active) fail('API_KEY_INACTIVE')
  return key
}

const isBearer = (authorization: string | undefined): boolean => /^\s*bearer(\s|$)/i.test(authorization ?? '')

// Step 3: the workspace. A bound key implies it; an unbound one must name it.

export function workspaceOf(key: ApiKey, headers: IncomingHttpHeaders): string {
  const header = headers['x-workspace-id']
  const named = (Array.isArray(header) ? header.join() : (header ?? '')).trim().toLowerCase()
  if (key.workspaceId !== null) {
    if (named !== '' && named !== key.workspaceId) fail('WORKSPACE_CONFLICT')
    return key.workspaceId
  }
  if (named === '') fail('WORKSPACE_SCOPE_REQUIRED')
  if (!key.access.has(named)) fail('WORKSPACE_ACCESS_DENIED')
  return named
}

export interface Author {
  readonly type: 'key' | 'user' | 'operator'
  /** The id of the API key or the user; null: the command line. */
  readonly id: string | null
}

export const operator: Author = { type: 'operator', id: null }

const doers: Record<Role, string> = { viewer: 'A viewer', editor: 'An editor', admin: 'An admin' }

/** Undefined: somebody who has this role in no workspace. */
export function mustBeAtLeast(role: Role | undefined, needed: Role): void {
  if (role && isAtLeast(role, needed)) return
  const has = role ? ` Your role is ${role}.` : ''
  fail('ROLE_REQUIRED', { message: `${doers[needed]} of the workspace may do this.${has}` })
}
