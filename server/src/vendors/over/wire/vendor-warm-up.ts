// A harmless request that opens a connection to a vendor ahead and tells whether its key is valid.
import type { LookupFunction } from 'node:net'
import { refusalReason } from './vendor-refusal.ts'
import { askOverKept } from './vendor-request.ts'

export interface WarmUp {
  /** The vendor's name in error messages. */
  readonly label: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly credentials: Readonly<Record<string, string>>
  readonly lookup?: LookupFunction | undefined
}

/** Rejects with one sentence. */
export async function warmVendor(
  { label, url, headers, credentials, lookup }: WarmUp,
  signal: AbortSignal,
): Promise<void> {
  const answer = await askOverKept({ url, headers }, { label, lookup, signal })
  const text = await answer.body.text()
  // A server of speech may have nothing else there: all that matters is whether the key was refused.
  if (answer.statusCode === 401 || answer.statusCode === 403)
    throw new Error(`${label} answered ${answer.statusCode}${refusalReason(text, credentials)}`)
}
