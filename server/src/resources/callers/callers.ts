// The rules of callers; other resources use them only through this module.
import type { Caller, Erasure, PageQuery } from '@parley/contract'
import { fail } from '../../http/failure.ts'
import { listOf } from '../../http/lists.ts'
import type { Work } from '../../http/work.ts'
import type { Queries } from '../../platform/db/db.ts'
import { newId } from '../../platform/ids.ts'
import type { Vault } from '../../platform/secrets.ts'
import { erasurePurpose } from './erasure-store.ts'
import {
  callerKey,
  type ErasureRow,
  findErasure,
  insertErasure,
  type MemoryRow,
  memoriesOf,
  pageOfErasures,
  recordsOf,
} from './store.ts'

export { erasedAmong, sealedErasures } from './erasure-store.ts'

export const callers = (db: Queries, vault: Vault) => ({
  async get(workspaceId: string, written: string): Promise<Caller> {
    const caller = (await callerKey(db, written)) ?? fail('CALLER_NOT_FOUND')
    const [records, memories] = await Promise.all([
      recordsOf(db, workspaceId, caller),
      memoriesOf(db, workspaceId, caller),
    ])
    if (records.calls === 0 && memories.length === 0) fail('CALLER_NOT_FOUND')
    return {
      caller,
      calls: records.calls,
      recordings: records.recordings,
      first_call_at: records.first_call_at?.toISOString() ?? null,
      last_call_at: records.last_call_at?.toISOString() ?? null,
      memory: memories.map(memoryOf),
    }
  },

  /** Erases somebody who is unknown too: they may be a recipient of a batch. */
  async erase(workspaceId: string, written: string, work: Work): Promise<Erasure> {
    const caller = (await callerKey(db, written)) ?? fail('CALLER_NOT_FOUND')
    const id = newId()
    const at = new Date()
    const sealedCaller = vault.seal(workspaceId, erasurePurpose, id, caller)
    work.add(insertErasure({ id, workspaceId, sealedCaller, at }))
    return viewOf({ ...untouched, erasure_id: id, created_at: at })
  },

  async erasure(workspaceId: string, erasureId: string): Promise<Erasure> {
    return viewOf((await findErasure(db, workspaceId, erasureId)) ?? fail('ERASURE_NOT_FOUND'))
  },

  erasures: async (workspaceId: string, query: PageQuery) =>
    listOf(query, await pageOfErasures(db, workspaceId, query), viewOf),
})

export type Callers = ReturnType<typeof callers>

const memoryOf = ({ called_at, ...memory }: MemoryRow): Caller['memory'][number] => ({
  ...memory,
  last_call_at: called_at.toISOString(),
})

const untouched = {
  status: 'queued' as const,
  error: null,
  expected: null,
  completed_at: null,
  calls: 0,
  recordings: 0,
  events: 0,
  deliveries: 0,
  recipients: 0,
  memories: 0,
  archived: 0,
}

const viewOf = (row: ErasureRow): Erasure => ({
  erasure_id: row.erasure_id,
  status: row.status,
  progress: progressOf(row),
  removed: {
    calls: row.calls,
    recordings: row.recordings,
    events: row.events,
    deliveries: row.deliveries,
    recipients: row.recipients,
    memories: row.memories,
    archived: row.archived,
  },
  error: row.error,
  created_at: row.created_at.toISOString(),
  completed_at: row.completed_at?.toISOString() ?? null,
})

/** The progress counts calls, which are most of the work. The last step looks for anything left. */
function progressOf({ status, expected, calls }: ErasureRow): number {
  if (status === 'completed') return 1
  return expected === null ? 0 : Math.min(0.99, (calls + 1) / (expected + 2))
}
