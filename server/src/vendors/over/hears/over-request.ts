// One request to a vendor whose answer is JSON, with one-sentence errors that hold no secrets.
import type { FormData } from 'undici'
import type { VendorAccount } from '../../../ports/vendor.ts'
import { refusalReason } from '../wire/vendor-refusal.ts'
import { askOverKept } from '../wire/vendor-request.ts'

export interface SttRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | FormData
}

export interface Asking {
  /** The vendor's name in error messages. */
  readonly label: string
  readonly account: VendorAccount
  readonly signal: AbortSignal
}

/** Rejects with the signal's own reason when it aborts. */
export async function askVendor(
  { url, headers, body }: SttRequest,
  { label, account, signal }: Asking,
): Promise<unknown> {
  const { lookup, credentials } = account
  const answer = await askOverKept({ url, method: 'POST', headers, body }, { label, lookup, signal })
  const text = await answer.body.text().catch((cause) => {
    signal.throwIfAborted()
    throw new Error(`${label} broke off in the middle of its answer.`, { cause })
  })
  if (answer.statusCode < 200 || answer.statusCode > 299)
    throw new Error(`${label} answered ${answer.statusCode}${refusalReason(text, credentials)}`)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`${label} sent what cannot be read.`, { cause })
  }
}
