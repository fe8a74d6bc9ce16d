// Step 1: every request has a name, the caller's own if it is a decent one.
import type { IncomingMessage } from 'node:http'
import { newId } from '../platform/ids.ts'

const decent = /^[A-Za-z0-9._-]{1,128}$/

export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && decent.test(given) ? given : newId()
}
