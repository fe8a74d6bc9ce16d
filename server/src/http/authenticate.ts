// Step 2: whose key is this? Four headers may carry it; a Bearer scheme is refused whatever else is there.
import type { IncomingHttpHeaders } from 'node:http'
import { fail } from './failure.ts'

export interface ApiKey {
  readonly id: string
  readonly active: boolean
  /** The binding; an unbound key names its workspace in every request. */
  readonly workspaceId: string | null
  /** The workspaces that an unbound key may name. */
  readonly access: ReadonlySet<string>
}

export interface KeyRing {
  find(key: string): Promise<ApiKey | undefined>
}

export async function authenticate(ring: KeyRing, headers: IncomingHttpHeaders): Promise<ApiKey> {
  if (isBearer(headers.authorization)) fail('BEARER_NOT_SUPPORTED')
  const given = [
    headers['x-api-key'],
    headers['svc-api-key'],
    headers['x-svc-api-key'],
    headers.authorization,
  ]
  const carried = given.find((value) => typeof value === 'string' && value.trim() !== '')
  if (typeof carried !== 'string') fail('API_KEY_MISSING')
  const key = await ring.find(carried.trim())
  if (!key) fail('API_KEY_INVALID')
  if (!key.active) fail('API_KEY_INACTIVE')
  return key
}

const isBearer = (authorization: string | undefined): boolean => /^\s*bearer(\s|$)/i.test(authorization ?? '')
