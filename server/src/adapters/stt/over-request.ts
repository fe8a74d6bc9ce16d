// One request to a vendor whose answer is JSON, with one-sentence errors that hold no secrets.
import { type FormData, request as send } from 'undici'
import { vendorConnections } from '../../platform/vendor-connections.ts'
import { refusalReason } from '../../platform/vendor-refusal.ts'
import type { VendorAccount } from '../../ports/vendor.ts'

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
  const dispatcher = vendorConnections(account.lookup)
  const answer = await send(url, { method: 'POST', headers, body, signal, dispatcher }).catch((cause) => {
    signal.throwIfAborted()
    throw new Error(`${label} cannot be reached (${cause.code ?? cause.name}).`, { cause })
  })
  const text = await answer.body.text()
  if (answer.statusCode < 200 || answer.statusCode > 299)
    throw new Error(`${label} answered ${answer.statusCode}${refusalReason(text, account.credentials)}`)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`${label} sent what cannot be read.`, { cause })
  }
}
