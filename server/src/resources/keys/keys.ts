// The rules of API keys: shown once, stored as a hash.
import type { dashboard, PageQuery, Role } from '@parley/contract'
import { fail } from '../../http/failure.ts'
import { listOf } from '../../http/lists.ts'
import type { Queries } from '../../platform/db/db.ts'
import { newId, randomBase62 } from '../../platform/ids.ts'
import { sha256 } from '../../platform/secrets.ts'
import {
  findKey,
  findKeyByHash,
  insertKey,
  type KeyChange,
  type KeyRow,
  notifyKeysChanged,
  pageOfKeys,
  revokeFormerKeys,
  updateKey,
} from './store.ts'

export { openKeyRing } from './key-ring.ts'

/** Bound to one workspace, or free to name one of several. */
export type Reach = { workspaceId: string } | { access: string[] }

/** svc_ and 40 random base62 characters: 238 bits. */
export const newApiKey = (): string => `svc_${randomBase62(40)}`

// svc_ and four characters identify a key in a list and leave 214 bits secret.
const prefixLength = 8

export const keys = (db: Queries) => ({
  /** Without a role it may do everything. */
  async create(
    label: string,
    reach: Reach,
    role: Role | null = null,
  ): Promise<dashboard.ApiKey & { key: string }> {
    const key = newApiKey()
    await insertKey(db, { ...rowOf(key, label, reach, null), role })
    return { ...view((await findKeyByHash(db, sha256(key))) as KeyRow), key }
  },

  /** A key whose value is set by an environment variable; its previous value is revoked. */
  async ensure(key: string, label: string, reach: Reach, setting: string): Promise<void> {
    await revokeFormerKeys(db, setting, sha256(key))
    await insertKey(db, rowOf(key, label, reach, setting))
    await notifyKeysChanged(db)
  },

  list: async (visibleIds: string[] | null, query: PageQuery) =>
    listOf(query, await pageOfKeys(db, visibleIds, query), view),

  /**
   * `visibleFor` says in which workspaces the user has a role: a key may be changed only by those who have all its
   * rights.
   */
  async update(
    visibleFor: (role: Role) => string[] | null,
    apiKeyId: string,
    change: KeyChange,
  ): Promise<dashboard.ApiKey> {
    const { role } = (await findKey(db, visibleFor('editor'), apiKeyId)) ?? fail('API_KEY_NOT_FOUND')
    const changed = await updateKey(db, visibleFor(role ?? 'admin'), apiKeyId, change)
    return view(changed ?? fail('ROLE_REQUIRED', { message: moreThanYou }))
  },
})

const moreThanYou = 'This key may do more than you may; an admin of its workspaces can change it.'

export type Keys = ReturnType<typeof keys>

const rowOf = (key: string, label: string, reach: Reach, setting: string | null) => ({
  apiKeyId: newId(),
  hash: sha256(key),
  prefix: key.slice(0, prefixLength),
  label,
  workspaceId: 'workspaceId' in reach ? reach.workspaceId : null,
  access: 'access' in reach ? reach.access : [],
  role: null,
  setting,
})

const view = (row: KeyRow): dashboard.ApiKey => ({
  api_key_id: row.api_key_id,
  label: row.label,
  prefix: row.prefix,
  workspace_id: row.workspace_id,
  access: row.access,
  role: row.role,
  active: row.active,
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
})
