// A request to a vendor over connections that are kept.
import type { LookupFunction } from 'node:net'
import { type Dispatcher, type FormData, request as send } from 'undici'
import { vendorConnections } from './vendor-connections.ts'

export interface VendorRequest {
  readonly url: string
  readonly method?: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | FormData
}

export interface VendorAsking {
  /** The vendor's name in error messages. */
  readonly label: string
  /** Resolves to public addresses only, where a user chose the address. */
  readonly lookup?: LookupFunction | undefined
  readonly signal: AbortSignal
}

// Nothing was answered: what is sent again was most likely not received.
const closed = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

/**
 * Rejects with one sentence, or with the signal's own reason when it aborts. A vendor may close an idle connection at the
 * moment when it is used again, so the request is then sent once more.
 */
export async function askOverKept(
  { url, method = 'GET', headers, body }: VendorRequest,
  { label, lookup, signal }: VendorAsking,
): Promise<Dispatcher.ResponseData> {
  const ask = () =>
    send(url, { method, headers, body: body ?? null, signal, dispatcher: vendorConnections(lookup) })
  return ask()
    .catch((error: NodeJS.ErrnoException) => {
      if (signal.aborted || !closed.has(error.code ?? '')) throw error
      return ask()
    })
    .catch((cause) => {
      signal.throwIfAborted()
      throw new Error(`${label} cannot be reached (${cause.code ?? cause.name}).`, { cause })
    })
}
