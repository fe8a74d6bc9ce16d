// Receives a batch while it is being uploaded: recipients are streamed to the database, and count only if all are
// valid.
import { BatchSettings, type Fault } from '@parley/contract'
import { z } from 'zod'
import { isForm, type Upload } from '../../http/body/upload.ts'
import { faultsIn } from '../../http/body/validate.ts'
import type { Db, OpenTransaction } from '../../platform/db/db.ts'
import type { RowCopy } from '../../platform/db/open-transaction.ts'
import { isSandbox } from '../calls/calls.ts'
import type { FirstRecipient, OutboundLines } from '../phone-numbers/phone-numbers.ts'
import { RowCheck, type WhereOf } from './check-row.ts'
import { copyLine, copyRecipients, zoneOf } from './copy-line.ts'
import { type BatchForm, readForm } from './csv-form.ts'
import { JsonRows } from './json-rows.ts'

export interface ReceivedBatch {
  readonly settings: BatchSettings
  readonly recipientCount: number
  /** How many of the recipients are simulated. */
  readonly sandboxCount: number
  /** All time zones among the recipients; '' for recipients without one. */
  readonly zones: string[]
  /** What was known of the workspace's numbers when its recipients were checked. */
  readonly lines: OutboundLines
  /** The first recipient who is not simulated. */
  readonly firstToDial: FirstRecipient | undefined
  /** Holds the recipients. The receiver must end it. */
  readonly transaction: OpenTransaction
}

/** If anything is wrong, nothing is stored, and the failure lists the faults by row. */
export async function receiveBatch(
  db: Db,
  batchId: string,
  upload: Upload,
  lines: OutboundLines,
): Promise<ReceivedBatch> {
  const transaction = await db.begin()
  try {
    const intake = new Intake(batchId, transaction.copy(copyRecipients), lines)
    const written = isForm(upload)
      ? await readForm(upload, (raw, whereOf) => intake.take(raw, whereOf))
      : { settings: await readJson(upload, intake), faults: [] }
    const settings = await intake.end(written)
    const { rows: recipientCount, sandboxCount, zones, firstToDial } = intake
    return { settings, recipientCount, sandboxCount, zones, firstToDial, lines, transaction }
  } catch (error) {
    transaction.rollback()
    throw error
  }
}

async function readJson({ bytes }: Upload, intake: Intake): Promise<unknown> {
  const reader = new JsonRows()
  for await (const chunk of bytes) {
    for (const raw of reader.push(chunk)) {
      const waiting = intake.take(raw)
      // Most recipients only join a buffer, so that there is nothing to await.
      if (waiting) await waiting
    }
  }
  return reader.end()
}

// Lines are sent to the database in pieces that are large enough to be fast and small enough to hold.
const linesCharacters = 64 * 1024

class Intake {
  readonly #batchId: string
  readonly #copying: RowCopy
  readonly #check: RowCheck
  readonly #zones = new Set<string>()
  #sandboxCount = 0
  #lines = ''

  constructor(batchId: string, copying: RowCopy, lines: OutboundLines) {
    this.#batchId = batchId
    this.#copying = copying
    this.#check = new RowCheck(lines)
  }

  get rows(): number {
    return this.#check.rows
  }

  get firstToDial(): FirstRecipient | undefined {
    return this.#check.firstToDial
  }

  get sandboxCount(): number {
    return this.#sandboxCount
  }

  get zones(): string[] {
    return [...this.#zones]
  }

  /** Returns a promise if the database must be awaited. */
  take(raw: unknown, whereOf?: WhereOf): Promise<void> | undefined {
    const checked = this.#check.take(raw, whereOf)
    // After the first fault the rest is only validated.
    if (!checked || this.#check.faults.length > 0) return undefined
    this.#zones.add(zoneOf(checked.recipient))
    if (isSandbox(checked)) this.#sandboxCount++
    this.#lines += copyLine(this.#batchId, this.#check.rows, checked)
    return this.#lines.length < linesCharacters ? undefined : this.#flush()
  }

  /** `written` is everything except the recipients already read. */
  async end({ settings: written, faults }: BatchForm): Promise<BatchSettings> {
    const list = WithRecipients.safeParse(written)
    // The key may be written with escapes, and escape the streaming reader; its entries are recipients all the same.
    for (const raw of list.data?.recipients ?? []) await this.take(raw)
    const settings = BatchSettings.safeParse(withoutRecipients(written))
    const faultsOfList = faultsIn(list, WithRecipients).filter(({ path }) => path !== '')
    const emptyList = this.#faultIfEmpty(list.success && faults.length === 0)
    this.#check.refuse([...faults, ...faultsIn(settings, BatchSettings), ...faultsOfList, ...emptyList])
    await this.#flush()
    await this.#copying.end()
    return settings.data as BatchSettings
  }

  #faultIfEmpty(hasList: boolean): Fault[] {
    return hasList && this.rows === 0 ? [{ path: 'recipients', message: 'Must not be empty.' }] : []
  }

  #flush(): Promise<void> {
    const lines = this.#lines
    this.#lines = ''
    return this.#copying.write(lines)
  }
}

const WithRecipients = z.looseObject({ recipients: z.array(z.unknown()) })

function withoutRecipients(written: unknown): unknown {
  if (typeof written !== 'object' || written === null || Array.isArray(written)) return written
  const { recipients: _, ...rest } = written as Record<string, unknown>
  return rest
}
