// Validates recipients; every fault names its row.

import { type ErrorCode, type Fault, limits, NewRecipient } from '@parley/contract'
import { inspect } from '../../http/body/body.ts'
import { faultsIn } from '../../http/body/validate.ts'
import { fail } from '../../http/failure.ts'
import { canonicalZone } from '../../platform/clock/time-zone.ts'
import type { FirstRecipient, OutboundLines } from '../phone-numbers/phone-numbers.ts'

/** How a user finds the row: its number in the list, or its line in a file. */
export type WhereOf = (row: number) => string

const plainly: WhereOf = (row) => `Row ${row}`

/** A row that could not be split into fields. */
export class MalformedRow {
  readonly why: string

  constructor(why: string) {
    this.why = why
  }
}

export const recipientTooLarge = (): never =>
  fail('PAYLOAD_TOO_LARGE', { message: `A recipient is longer than ${limits.recipientBytes / 1024} KB.` })

export interface CheckedRecipient {
  readonly recipient: NewRecipient
  /** The carrier that will dial it. */
  readonly provider: string
}

export class RowCheck {
  readonly faults: Fault[] = []
  /** The first row that goes out from a number of ours. */
  firstToDial: FirstRecipient | undefined
  readonly #lines: Pick<OutboundLines, 'decide'>
  /** The first row with each id. */
  readonly #ids = new Map<string, number>()
  #rows = 0
  #faultyRows = 0
  /** True after a fault other than that the number cannot or may not be called. */
  #invalid = false
  /** The first reason why a number cannot be called. */
  #refusedWith: ErrorCode | undefined

  constructor(lines: Pick<OutboundLines, 'decide'>) {
    this.#lines = lines
  }

  get rows(): number {
    return this.#rows
  }

  /** Returns undefined if the row has a fault. Rows are numbered here, from 1. */
  take(raw: unknown, whereOf: WhereOf = plainly): CheckedRecipient | undefined {
    if (++this.#rows > limits.batchRecipients) {
      fail('PAYLOAD_TOO_LARGE', { message: `A batch takes at most ${limits.batchRecipients} recipients.` })
    }
    const row = this.#rows
    const found: Fault[] = []
    const recipient = isPlainRecipient(raw) ? raw : looked(raw, found)
    const before = this.#knownAs(recipient?.recipient_id, row)
    if (before !== undefined)
      found.push({ path: 'recipient_id', message: `Is the same as in row ${before}.` })
    this.#invalid ||= found.length > 0
    const provider = recipient && this.#carrierFor(recipient, row, found)
    if (recipient && provider && found.length === 0) return { recipient, provider }
    this.#report(row, whereOf(row), found)
    return undefined
  }

  /** The number of the batch that calls is not known yet: its settings may follow the recipients. */
  #carrierFor({ to_phone_number: to }: NewRecipient, row: number, found: Fault[]): string | undefined {
    const decision = this.#lines.decide(to)
    if (decision.is === 'dialled') {
      if (decision.needsNumber) this.firstToDial ??= { to, path: `recipients.${row - 1}.to_phone_number` }
      return decision.by
    }
    this.#refusedWith ??= decision.code
    found.push({ path: 'to_phone_number', message: decision.message })
    return undefined
  }

  #knownAs(id: string | undefined, row: number): number | undefined {
    if (id === undefined) return undefined
    const before = this.#ids.get(id)
    if (before === undefined) this.#ids.set(id, row)
    return before
  }

  /** Paths count from 0, as in JSON; people count from 1. */
  #report(row: number, where: string, found: readonly Fault[]): void {
    const at = `recipients.${row - 1}`
    for (const { path, message } of found.slice(0, limits.toldFaults - this.faults.length))
      this.faults.push({ path: path === '' ? at : `${at}.${path}`, message: `${where}: ${message}` })
    this.#faultyRows++
    if (this.#isEnough) this.refuse()
  }

  get #isEnough(): boolean {
    return this.#faultyRows >= limits.toldRows || this.faults.length >= limits.toldFaults
  }

  /** Fails if any row had a fault. */
  refuse(more: readonly Fault[] = []): void {
    const details = [...more, ...this.faults]
    if (details.length === 0) return
    const message = `Nothing was stored; details lists the first ${this.#faultyRows} faulty rows.`
    const code = this.#invalid || more.length > 0 ? undefined : this.#refusedWith
    fail(code ?? 'VALIDATION_ERROR', { details, ...(this.#isEnough && { message }) })
  }
}

function looked(raw: unknown, faults: Fault[]): NewRecipient | undefined {
  if (raw instanceof MalformedRow) {
    faults.push({ path: '', message: raw.why })
    return undefined
  }
  inspect(raw, '', 0, faults)
  const read = NewRecipient.safeParse(raw)
  faults.push(...faultsIn(read, NewRecipient))
  if (!read.success || faults.length > 0) return undefined
  noteZone(read.data)
  return read.data
}

// A fast path for plainly valid recipients: six times faster than the schema, which decides in all other cases.

/** Returns true only for what the schema accepts and the database can store; see its test. */
export function isPlainRecipient(raw: unknown): raw is NewRecipient {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return false
  let number = false
  for (const key in raw) {
    const value = (raw as Record<string, unknown>)[key]
    if (key === 'to_phone_number') number = typeof value === 'string' && /^\+[1-9][0-9]{2,14}$/.test(value)
    else if (key === 'recipient_id') {
      if (!isPlainText(value, 256) || value === '') return false
    } else if (key === 'name') {
      if (!isPlainText(value, 1_024)) return false
    } else if (key === 'variables') {
      if (!hasPlainValues(value)) return false
    } else if (key === 'timezone') {
      if (typeof value !== 'string' || !seenZones.has(value)) return false
    } else return false
  }
  return number
}

// Zones that the schema has accepted before.
const seenZones = new Set<string>()

/** Call it with every recipient that the schema has accepted. */
export const noteZone = ({ timezone }: NewRecipient): void => {
  if (timezone != null && timezone === canonicalZone(timezone)) seenZones.add(timezone)
}

const isPlainText = (value: unknown, most: number): boolean =>
  typeof value === 'string' && value.length <= most && !value.includes('\0') && value.isWellFormed()

// Longer texts are rare; the schema handles them.
const fewCharacters = 1_024

function hasPlainValues(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key]
    const plain =
      typeof inner === 'string'
        ? isPlainText(inner, fewCharacters)
        : typeof inner === 'boolean' || Number.isFinite(inner)
    if (!plain || key === '__proto__' || !isPlainText(key, fewCharacters)) return false
  }
  return true
}
