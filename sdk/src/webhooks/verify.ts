// Verifies a delivery: raw bytes and headers in, an event that the service has signed out. Nothing is parsed before the signature
// is checked.
import type { CallCompletedEvent } from '../wire.ts'
import { readHeader, type WebhookHeaders } from './header.ts'
import { anyEqual, digest, keysOf, parseSignature } from './signature.ts'
import { WebhookVerificationError, type WebhookVerificationReason } from './verification-error.ts'

export interface VerifyWebhook {
  /** The body exactly as it was received: JSON that was parsed and serialised again has different bytes. */
  readonly body: string | Uint8Array
  readonly headers: WebhookHeaders
  /** The whole secret, with whsec_, or several during a rotation. */
  readonly secret: string | readonly string[]
  readonly toleranceSeconds?: number
  /** The current time in milliseconds, as Date.now returns it. */
  readonly now?: () => number
}

// The tolerance of the specification. Every attempt is signed anew, so the signature of a genuine one is seconds old.
const defaultToleranceSeconds = 300

export function verifyWebhook(delivery: VerifyWebhook): CallCompletedEvent {
  const { body, headers, secret, toleranceSeconds = defaultToleranceSeconds, now = Date.now } = delivery
  mustBeRaw(body)
  const keys = keysOf(secret)
  const header = readHeader(headers, 'x-svc-signature')
  const timestamp = readHeader(headers, 'x-svc-timestamp')
  if (header === undefined || timestamp === undefined) return refuse('missing-header')
  const signature = parseSignature(header) ?? refuse('malformed-signature')
  if (timestamp !== signature.t) refuse('timestamp-mismatch')
  // The age is in whole seconds, like t. The comparison is written so that a NaN in the clock or the tolerance refuses.
  const ageSeconds = Math.floor(now() / 1000) - Number(signature.t)
  if (!(Math.abs(ageSeconds) <= toleranceSeconds)) refuse('timestamp-out-of-tolerance')
  const expected = keys.map((key) => digest(key, signature.t, body))
  if (!anyEqual(signature.v1, expected)) refuse('no-matching-signature')
  return parseEvent(body)
}

function mustBeRaw(body: unknown): void {
  if (typeof body === 'string' || body instanceof Uint8Array) return
  throw new TypeError('The body must be the raw bytes of the request; a parsed body cannot be verified.')
}

function parseEvent(body: string | Uint8Array): CallCompletedEvent {
  let value: unknown
  try {
    value = JSON.parse(
      typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body),
    )
  } catch (error) {
    return refuse('malformed-body', { cause: error })
  }
  return isCallCompleted(value) ? value : refuse('malformed-body')
}

/** The fields that a receiver needs to tell events apart. The signature vouches for the rest. */
function isCallCompleted(value: unknown): value is CallCompletedEvent {
  const event = value as Partial<CallCompletedEvent> | null
  return (
    typeof event?.id === 'string' &&
    event.type === 'call.completed' &&
    typeof event.data === 'object' &&
    event.data !== null
  )
}

function refuse(reason: WebhookVerificationReason, options?: ErrorOptions): never {
  throw new WebhookVerificationError(reason, options)
}
