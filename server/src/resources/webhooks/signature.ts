// The signature of a delivery: t=<unix seconds>,v1=<HMAC-SHA256 of "t.body", lower hex>
import { createHmac, randomBytes } from 'node:crypto'

export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** The key is the whole secret, prefix included. */
export function sign(secret: string, unixSeconds: number, body: Buffer): string {
  const digest = createHmac('sha256', secret).update(`${unixSeconds}.`).update(body).digest('hex')
  return `t=${unixSeconds},v1=${digest}`
}
