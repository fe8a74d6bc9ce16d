// The rules of the pronunciation dictionary; other resources use them only through this module.
import type { NewPronunciation, PageQuery, PronunciationChange, StoredPronunciation } from '@parley/contract'
import { fail, refuseField } from '../../http/failure.ts'
import { listOf } from '../../http/lists.ts'
import type { Work } from '../../http/work.ts'
import type { Db, Queries } from '../../platform/db/db.ts'
import { newId } from '../../platform/ids.ts'
import type { Agents } from '../agents/agents.ts'
import {
  countPronunciations,
  findPronunciation,
  insertPronunciation,
  lockPronunciation,
  type PronunciationFilter,
  type PronunciationRow,
  pageOfPronunciations,
  removePronunciation,
  sameText,
  updatePronunciation,
} from './store.ts'

export interface PronunciationParts {
  readonly db: Db
  readonly agents: Pick<Agents, 'mustExist'>
}

// All of them travel with the plan of every call.
const mostEntries = 1_000

export const pronunciations = ({ db, agents }: PronunciationParts) => ({
  async create(workspaceId: string, wish: NewPronunciation, work: Work): Promise<StoredPronunciation> {
    const at = new Date()
    const row = rowOf({ pronunciation_id: newId(), created_at: at, updated_at: at }, wish)
    await check(db, agents, workspaceId, row)
    if ((await countPronunciations(db, workspaceId)) >= mostEntries)
      refuseField(
        'written',
        `The dictionary has ${mostEntries} entries, and takes no more. Remove some first.`,
      )
    work.add(insertPronunciation(workspaceId, row))
    return viewOf(row)
  },

  list: async (workspaceId: string, filter: PronunciationFilter, query: PageQuery) =>
    listOf(query, await pageOfPronunciations(db, workspaceId, filter, query), viewOf),

  get: async (workspaceId: string, id: string): Promise<StoredPronunciation> =>
    viewOf((await findPronunciation(db, workspaceId, id)) ?? fail('PRONUNCIATION_NOT_FOUND')),

  update: (workspaceId: string, id: string, change: PronunciationChange): Promise<StoredPronunciation> =>
    db.transaction(async (tx) => {
      const before = (await lockPronunciation(tx, workspaceId, id)) ?? fail('PRONUNCIATION_NOT_FOUND')
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
      const row = rowOf(before, { ...before, ...given })
      await check(tx, agents, workspaceId, row)
      return viewOf(await updatePronunciation(tx, row))
    }),

  async remove(workspaceId: string, id: string) {
    const removed = (await removePronunciation(db, workspaceId, id)) ?? fail('PRONUNCIATION_NOT_FOUND')
    return { pronunciation_id: removed.pronunciation_id, deleted: true as const }
  },
})

export type Pronunciations = ReturnType<typeof pronunciations>

type KeptColumns = Pick<PronunciationRow, 'pronunciation_id' | 'created_at' | 'updated_at'>

const rowOf = (
  { pronunciation_id, created_at, updated_at }: KeptColumns,
  wish: NewPronunciation,
): PronunciationRow => ({
  pronunciation_id,
  written: wish.written,
  say_as: wish.say_as ?? null,
  ipa: wish.ipa ?? null,
  language: wish.language ?? null,
  agent_id: wish.agent_id?.toLowerCase() ?? null,
  created_at,
  updated_at,
})

async function check(
  db: Queries,
  agents: PronunciationParts['agents'],
  workspaceId: string,
  row: PronunciationRow,
): Promise<void> {
  if (row.say_as === null && row.ipa === null)
    refuseField('say_as', 'Give how it sounds: say_as, ipa, or both.')
  if (row.agent_id !== null) await agents.mustExist(workspaceId, row.agent_id, 'agent_id')
  const other = await sameText(db, workspaceId, row)
  if (other !== undefined)
    refuseField(
      'written',
      `Is in the dictionary already, for the same agent and language: change ${other} instead.`,
    )
}

const viewOf = ({ created_at, updated_at, ...row }: PronunciationRow): StoredPronunciation => ({
  ...row,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
})
