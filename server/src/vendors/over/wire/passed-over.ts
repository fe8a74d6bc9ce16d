// Messages that a stream goes on without: vendors add types to their interfaces without notice, and a message may be
// broken that nobody waits for. Each is announced, so that it is counted and logged.
import { channel } from 'node:diagnostics_channel'
import type { z } from 'zod'
import type { VendorUse } from '../../../ports/vendor.ts'

export type VendorService = VendorUse | 'recordings'

export interface PassedOverMessage {
  /** The vendor's display name. */
  readonly company: string
  readonly service: VendorService
  readonly reason: 'unknown' | 'unreadable'
  /** Its type as the vendor names it, or the names of its fields; empty if it cannot be read. */
  readonly messageType: string
  /** Whether this stream had none of this type before. */
  readonly isFirst: boolean
}

const announced = channel('parley:message-passed-over')

/** Every message that this thread passes over, until the listener is stopped. */
export function onPassedOver(listener: (message: PassedOverMessage) => void): { stop(): void } {
  const receive = (message: unknown) => listener(message as PassedOverMessage)
  announced.subscribe(receive)
  return { stop: () => void announced.unsubscribe(receive) }
}

export const announcePassedOver = (message: PassedOverMessage): void => announced.publish(message)

/** Thrown for a message of a type that was not known when its reader was written. */
export class UnknownMessage extends Error {
  readonly messageType: string

  constructor(messageType: string) {
    super(`a message of an unknown type (${messageType})`)
    this.messageType = messageType
  }
}

// The name of a type is a word or two; the message may hold what a caller said.
const mostTypeChars = 60

/** The message, as the schema has it. Throws `UnknownMessage` where only the name of its type is new. */
export function readVendorMessage<Schema extends z.ZodType>(schema: Schema, raw: unknown): z.output<Schema> {
  const read = schema.safeParse(raw)
  if (read.success) return read.data
  const fields: Readonly<Record<string, unknown>> = Object(raw)
  const newName = read.error.issues.some(isNothingKnown)
    ? (fields.type ?? Object.keys(fields).join(' '))
    : fields[read.error.issues.map(nameFieldOf).find((field) => field !== undefined) ?? '']
  if (newName === undefined) throw read.error
  throw new UnknownMessage(String(newName).slice(0, mostTypeChars))
}

/** For messages that are told apart by their fields: at least one that is known. */
export const hasAnyField = (message: object): boolean =>
  Object.values(message).some((value) => value !== undefined)

/** Of a schema that is refined with `hasAnyField`, or the like. */
const isNothingKnown = ({ code, path }: z.core.$ZodIssue): boolean => code === 'custom' && path.length === 0

/** The field whose value is a name that the schema does not have. */
function nameFieldOf(issue: z.core.$ZodIssue): string | undefined {
  const isName =
    issue.code === 'invalid_value' || (issue.code === 'invalid_union' && 'discriminator' in issue)
  return isName && issue.path.length === 1 ? String(issue.path[0]) : undefined
}

/** What one stream has passed over. */
export class PassedOver {
  readonly #company: string
  readonly #service: VendorService
  readonly #types = new Set<string>()

  constructor(company: string, service: VendorService) {
    this.#company = company
    this.#service = service
  }

  unknown(messageType: string): void {
    this.#announce('unknown', messageType)
  }

  unreadable(): void {
    this.#announce('unreadable', '')
  }

  #announce(reason: PassedOverMessage['reason'], messageType: string): void {
    const isFirst = !this.#types.has(messageType)
    this.#types.add(messageType)
    announcePassedOver({ company: this.#company, service: this.#service, reason, messageType, isFirst })
  }
}
