// Credentials for the TURN relay of the operator, good for one call: the relay knows the secret and no user (coturn's
// `use-auth-secret`).
//
//   username    <seconds since 1970 at which it expires>:<session id>
//   credential  base64 of the HMAC-SHA1 of the username
import { createHmac } from 'node:crypto'

export interface TurnRelay {
  readonly urls: readonly string[]
  readonly secret: string
}

// The relay checks them whenever the browser renews: they are valid for longer than the longest call.
const validSeconds = 6 * 3600

/** Undefined: there is no relay. */
export function iceServersFor(relay: TurnRelay | undefined, sessionId: string, at: Date) {
  if (!relay) return []
  const username = `${Math.floor(at.getTime() / 1000) + validSeconds}:${sessionId}`
  const credential = createHmac('sha1', relay.secret).update(username).digest('base64')
  return [{ urls: [...relay.urls], username, credential }]
}
