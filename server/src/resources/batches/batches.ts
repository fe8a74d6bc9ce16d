// The rules of batches; other resources use them only through this module.
import type {
  BatchChange,
  BatchDetail,
  BatchStatus,
  CreatedBatch,
  PageQuery,
  RecipientStatus,
} from '@parley/contract'
import type { Upload } from '../../http/body/upload.ts'
import { fail } from '../../http/failure.ts'
import { listOf } from '../../http/lists.ts'
import type { Work } from '../../http/work.ts'
import type { Db } from '../../platform/db/db.ts'
import { newId } from '../../platform/ids.ts'
import type { Agents } from '../agents/agents.ts'
import { futureTime } from '../calls/calls.ts'
import type { Outbound } from '../phone-numbers/phone-numbers.ts'
import { batchDetailOf, batchSummaryOf, countsOf, createdOf, recipientOf } from './batch-record.ts'
import { type ReceivedBatch, receiveBatch } from './intake.ts'
import { pageOfRecipients, tallyOf } from './recipient-store.ts'
import {
  type BatchFilter,
  type BatchRow,
  changeBatch,
  findBatch,
  insertBatch,
  moveBatch,
  pageOfBatches,
  removeBatch,
} from './store.ts'

export { LiveBatches } from './live-batches.ts'
export { resultLines } from './results.ts'

/** The commands on a batch: in which states they are allowed, the resulting state, and the message. */
const commands = {
  execute: {
    from: ['created', 'scheduled'],
    to: 'in_progress',
    participle: 'executed',
    done: 'The batch has started.',
  },
  pause: {
    from: ['in_progress'],
    to: 'paused',
    participle: 'paused',
    done: 'The batch is paused; calls under way go on to their end.',
  },
  resume: {
    from: ['paused'],
    to: 'in_progress',
    participle: 'resumed',
    done: 'The batch goes on where it was paused.',
  },
  cancel: {
    from: ['created', 'scheduled', 'in_progress', 'paused'],
    to: 'cancelled',
    participle: 'cancelled',
    done: 'The batch is cancelled; calls under way go on to their end.',
  },
} as const satisfies Record<
  string,
  { from: readonly BatchStatus[]; to: BatchStatus; participle: string; done: string }
>

export type BatchCommand = keyof typeof commands

const beforeStart: readonly BatchStatus[] = ['created', 'scheduled']
const underWay: readonly BatchStatus[] = ['in_progress', 'paused']
const over: readonly BatchStatus[] = ['completed', 'cancelled', 'failed']

/** A batch that waits for its trunk can be paused for good. */
const statesFor = (name: BatchCommand, { resume_at: resumeAt }: BatchRow): readonly BatchStatus[] =>
  name === 'pause' && resumeAt !== null ? [...commands.pause.from, 'paused'] : commands[name].from

const isOver = ({ status }: BatchRow): boolean => over.includes(status)

export const batches = (db: Db, agents: Agents, outbound: Outbound) => {
  const find = async (workspaceId: string, batchId: string) =>
    (await findBatch(db, workspaceId, batchId)) ?? fail('BATCH_NOT_FOUND')
  const detail = async (row: BatchRow): Promise<BatchDetail> =>
    batchDetailOf(row, countsOf(await tallyOf(db, row.batch_id)))

  const describe = async (
    workspaceId: string,
    batchId: string,
    { settings, recipientCount, sandboxCount, zones, transaction, lines, firstToDial }: ReceivedBatch,
  ) => {
    const scheduledAt = settings.schedule_time == null ? null : futureTime(settings.schedule_time)
    const agent = await agents.mustStay(transaction, workspaceId, settings.agent_id)
    const wish = {
      phoneNumberId: settings.phone_number_id ?? null,
      from: settings.from_phone_number ?? null,
      agentId: settings.agent_id,
      agentNumberId: agent.phoneNumberId,
    }
    return {
      ...lines.numberFor(wish, firstToDial),
      batchId,
      workspaceId,
      settings,
      recipientCount,
      sandboxCount,
      zones,
      scheduledAt,
      status: scheduledAt ? ('scheduled' as const) : ('created' as const),
      scheduleId: scheduledAt && newId(),
    }
  }

  return {
    /** When this resolves, the recipients are in the database; they become visible when the work is committed. */
    async create(workspaceId: string, upload: Upload, work: Work): Promise<CreatedBatch> {
      const batchId = newId()
      const taken = await receiveBatch(db, batchId, upload, await outbound(workspaceId))
      try {
        const made = await describe(workspaceId, batchId, taken)
        work.begin(taken.transaction)
        work.add(insertBatch(made))
        const { settings, status, scheduleId, scheduledAt, recipientCount } = made
        return createdOf({
          batch_id: batchId,
          name: settings.name,
          agent_id: settings.agent_id,
          status,
          recipient_count: recipientCount,
          schedule_id: scheduleId,
          schedule_time: scheduledAt,
        })
      } catch (error) {
        taken.transaction.rollback()
        throw error
      }
    },

    list: async (workspaceId: string, filter: BatchFilter, query: PageQuery) =>
      listOf(query, await pageOfBatches(db, workspaceId, filter, query), batchSummaryOf),

    async get(workspaceId: string, batchId: string): Promise<BatchDetail> {
      return detail(await find(workspaceId, batchId))
    },

    async mustExist(workspaceId: string, batchId: string): Promise<void> {
      await find(workspaceId, batchId)
    },

    async recipients(
      workspaceId: string,
      batchId: string,
      status: RecipientStatus | undefined,
      query: PageQuery,
    ) {
      await find(workspaceId, batchId)
      return listOf(query, await pageOfRecipients(db, batchId, status, query), recipientOf)
    },

    async update(workspaceId: string, batchId: string, change: BatchChange): Promise<BatchDetail> {
      const { schedule_time: time, max_concurrency, calling_window } = change
      const from = time === undefined ? [...beforeStart, ...underWay] : beforeStart
      const refuse = (row: BatchRow) => conflict(row, isOver(row) ? 'changed' : 'scheduled any more')
      const before = await find(workspaceId, batchId)
      if (!from.includes(before.status)) refuse(before)
      const scheduledAt = time == null ? time : futureTime(time)
      const after = await changeBatch(db, batchId, from, { scheduledAt, max_concurrency, calling_window })
      return detail(after ?? refuse(await find(workspaceId, batchId)))
    },

    async remove(workspaceId: string, batchId: string) {
      await find(workspaceId, batchId)
      if (!(await removeBatch(db, batchId, [...beforeStart, ...over])))
        conflict(await find(workspaceId, batchId), 'deleted; cancel it first')
      return { batch_id: batchId, deleted: true as const }
    },

    async command(workspaceId: string, batchId: string, name: BatchCommand, work: Work) {
      const { to, done, participle } = commands[name]
      const row = await find(workspaceId, batchId)
      const from = statesFor(name, row)
      if (!from.includes(row.status)) conflict(row, participle)
      if (to === 'in_progress') await agents.mustTakeCalls(workspaceId, row.agent_id, work)
      work.add(moveBatch(batchId, from, to))
      return { status: 'success' as const, message: done }
    },
  }
}

export type Batches = ReturnType<typeof batches>

const conflict = ({ status }: BatchRow, done: string): never =>
  fail('BATCH_STATE_CONFLICT', { message: `This batch is ${status} and cannot be ${done}.` })
