// The signature as the service makes it, so that your tests can send deliveries to your receiver.
import { digest, keysOf } from './signature.ts'

export interface SignWebhook {
  readonly body: string | Uint8Array
  /** Several secrets produce several v1 parts. */
  readonly secret: string | readonly string[]
  /** The time of the signature in Unix seconds. Default: now. */
  readonly timestamp?: number
}

export type SignedHeaders = { 'X-Svc-Timestamp': string; 'X-Svc-Signature': string }

export function signWebhook({ body, secret, timestamp }: SignWebhook): SignedHeaders {
  const seconds = timestamp ?? Math.floor(Date.now() / 1000)
  if (!Number.isSafeInteger(seconds) || seconds < 0) {
    throw new RangeError('The timestamp is not a whole number of Unix seconds.')
  }
  const t = String(seconds)
  const parts = keysOf(secret).map((key) => `v1=${digest(key, t, body).toString('hex')}`)
  return { 'X-Svc-Timestamp': t, 'X-Svc-Signature': [`t=${t}`, ...parts].join(',') }
}
