// X-Svc-Signature: t=<unix-seconds>,v1=<64 hex>[,v1=<64 hex>…]
//
//   v1 = hex( HMAC-SHA256( key: the whole secret, whsec_ included;  text: "<t>." + the bytes of the body ) )
import { createHmac, timingSafeEqual } from 'node:crypto'

export interface Signature {
  /** The time as it was written, which is part of the signed text. */
  readonly t: string
  readonly v1: readonly Buffer[]
}

/** The parts of the header. Undefined unless every part is a well-formed t or v1, with exactly one t and at least one v1. */
export function parseSignature(header: string): Signature | undefined {
  const parts = header.split(',')
  const times = parts.flatMap((part) => /^t=(\d+)$/.exec(part)?.[1] ?? [])
  const digests = parts.flatMap((part) => /^v1=([0-9a-fA-F]{64})$/.exec(part)?.[1] ?? [])
  const [t] = times
  const wellFormed =
    times.length === 1 && digests.length > 0 && parts.length === times.length + digests.length
  if (t === undefined || !wellFormed) return undefined
  return { t, v1: digests.map((hex) => Buffer.from(hex, 'hex')) }
}

export const digest = (secret: string, t: string, body: string | Uint8Array): Buffer =>
  createHmac('sha256', secret).update(`${t}.`).update(body).digest()

/** Compares every pair completely, so that the time it takes does not reveal which one matched, or how nearly. */
export function anyEqual(given: readonly Buffer[], expected: readonly Buffer[]): boolean {
  let matches = 0
  for (const mine of expected) {
    for (const theirs of given) matches += Number(timingSafeEqual(mine, theirs))
  }
  return matches > 0
}

/** Refuses an empty secret, with which anybody could sign. An unset environment variable often becomes one. */
export function keysOf(secret: string | readonly string[]): readonly string[] {
  const keys = [secret].flat()
  if (keys.length === 0 || keys.some((key) => typeof key !== 'string' || key.trim() === '')) {
    throw new TypeError('The webhook secret is empty. It is the whole string that begins with whsec_.')
  }
  return keys
}
