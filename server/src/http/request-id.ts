// Step 1: every request has an id, the caller's own if it is well-formed.
import type { IncomingMessage } from 'node:http'
import { newId } from '../platform/ids.ts'

const decent = /^[A-Za-z0-9._-]{1,128}$/

export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && decent.test(given) ? given : newId()
}
