// A recipient as a line of COPY: columns separated by tabs, \N for null.
import type { NewRecipient } from '@parley/contract'
import { canonicalZone } from '../../platform/clock/time-zone.ts'
import { newId } from '../../platform/ids.ts'
import type { CheckedRecipient } from './check-row.ts'

export const copyRecipients =
  'COPY batch_recipients (batch_id, place, recipient_id, to_phone_number, name, variables, metadata, timezone, provider) FROM STDIN'

/** The stored zone: the recipient's own, or '' for that of the calling window. */
export const zoneOf = ({ timezone }: NewRecipient): string =>
  timezone == null ? '' : canonicalZone(timezone)

export const copyLine = (batchId: string, place: number, { recipient, provider }: CheckedRecipient): string =>
  `${batchId}\t${place}\t${text(recipient.recipient_id ?? newId())}\t${text(recipient.to_phone_number)}\t${textOrNull(recipient.name)}\t${json(recipient.variables)}\t${json(recipient.metadata)}\t${zoneOf(recipient)}\t${text(provider)}\n`

const json = (value: object | undefined): string =>
  value === undefined ? '\\N' : text(JSON.stringify(value))

const textOrNull = (value: string | null | undefined): string => (value == null ? '\\N' : text(value))

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** Most texts need no escaping, and testing is cheaper than replacing. */
const text = (value: string): string =>
  /[\\\t\n\r]/.test(value) ? value.replaceAll(/[\\\t\n\r]/g, (found) => escapes[found] as string) : value
