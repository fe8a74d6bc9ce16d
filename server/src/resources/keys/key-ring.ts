// A cache of API keys. A change in any process clears every cache at once; while change notifications cannot be
// received, nothing is cached.
import { hash } from 'node:crypto'
import type { ApiKey, KeyRing } from '../../http/authenticate.ts'
import { BoundedMap } from '../../platform/bounded-map.ts'
import type { Db, Subscription } from '../../platform/db/db.ts'
import { sha256 } from '../../platform/secrets.ts'
import { findKeyByHash, touchKeys } from './store.ts'

// Guessing keys must not fill the memory.
const mostRemembered = 10_000
// "Last used" is for people and not worth a write per request.
const touchEveryMs = 10_000

export interface LiveKeyRing extends KeyRing {
  close(): Promise<void>
}

export async function openKeyRing(db: Db, onError: (error: unknown) => void): Promise<LiveKeyRing> {
  const remembered = new BoundedMap<string, ApiKey | undefined>(mostRemembered)
  let used = new Map<string, Date>()
  let hearing = false
  // A lookup that began before a change must not be cached after it.
  let changes = 0

  const forget = () => {
    changes++
    remembered.clear()
  }
  const notices: Subscription = await db.listen('api_keys', {
    notice: forget,
    lost() {
      hearing = false
      forget()
    },
    resumed() {
      hearing = true
      forget()
    },
  })

  const touch = async () => {
    if (used.size === 0) return
    const batch = used
    used = new Map()
    await touchKeys(db, batch).catch(onError)
  }
  const touching = setInterval(touch, touchEveryMs).unref()

  const lookUp = async (key: string, name: string): Promise<ApiKey | undefined> => {
    const before = changes
    const row = await findKeyByHash(db, sha256(key))
    const found = row && {
      id: row.api_key_id,
      active: row.active,
      workspaceId: row.workspace_id,
      access: new Set(row.access),
      role: row.role,
    }
    if (hearing && before === changes) remembered.set(name, found)
    return found
  }

  return {
    async find(key) {
      // Keyed by hash, so that a memory dump shows no keys.
      const name = hash('sha256', key, 'base64')
      const found = remembered.has(name) ? remembered.get(name) : await lookUp(key, name)
      if (found?.active) used.set(found.id, new Date())
      return found
    },
    async close() {
      clearInterval(touching)
      await notices.close()
      await touch()
    },
  }
}
