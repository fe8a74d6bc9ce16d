// Names for things: ids in order of time, and secrets that nobody guesses.
import { randomBytes, randomInt } from 'node:crypto'

/** UUID version 7: the first 48 bits are the time, so that new rows go to the end of an index. */
export function newId(nowMs = Date.now()): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(nowMs, 0, 6)
  bytes[6] = 0x70 | ((bytes[6] as number) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] as number) & 0x3f)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export const randomBase62 = (length: number): string =>
  Array.from({ length }, () => base62[randomInt(base62.length)]).join('')
