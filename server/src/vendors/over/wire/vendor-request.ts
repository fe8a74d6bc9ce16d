// Requests to vendors over connections that are kept open between those of a call, which are seconds apart.
import type { LookupFunction } from 'node:net'
import { Agent, type Dispatcher, type FormData, request as send } from 'undici'
import { getOrMake } from '../../../platform/get-or-make.ts'
import type { VendorAccount } from '../../../ports/vendor.ts'
import { isAboutAccount, refusalReason, VendorRefused } from './vendor-failure.ts'

const keepAliveTimeout = 60_000

const trusted = new Agent({ keepAliveTimeout })
const guarded = new WeakMap<LookupFunction, Agent>()

/** `lookup`: resolves to public addresses only, where a user chose the address. */
export const vendorConnections = (lookup: LookupFunction | undefined): Agent =>
  lookup ? getOrMake(guarded, lookup, () => new Agent({ keepAliveTimeout, connect: { lookup } })) : trusted

export interface VendorRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** A request that is posted. */
export interface VendorPost extends VendorRequest {
  readonly body: string | Uint8Array | FormData
}

export interface VendorCaller {
  /** The vendor's name in error messages. */
  readonly label: string
  readonly account: Pick<VendorAccount, 'credentials' | 'lookup'>
  readonly signal: AbortSignal
}

// Nothing was answered: what is sent again was most likely not received.
const closed = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

/**
 * Rejects with one sentence, or with the signal's own reason when it aborts. A vendor may close an idle connection at the
 * moment when it is used again, so the request is then sent once more.
 */
export async function askOverKept(
  request: VendorRequest | VendorPost,
  { label, account, signal }: VendorCaller,
): Promise<Dispatcher.ResponseData> {
  const { url, headers } = request
  const method = 'body' in request ? 'POST' : 'GET'
  const body = 'body' in request ? request.body : null
  const ask = () =>
    send(url, { method, headers, body, signal, dispatcher: vendorConnections(account.lookup) })
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

/** A harmless request that opens a connection ahead. Rejects with one sentence if the key is refused. */
export async function warmVendor(request: VendorRequest, caller: VendorCaller): Promise<void> {
  const { statusCode, body } = await askOverKept(request, caller)
  const text = await body.text()
  // A server of speech may have nothing else there: all that matters is whether the key was refused.
  if (statusCode === 401 || statusCode === 403) throw refusedWith(statusCode, text, caller)
}

/** Posts a request whose answer is JSON. Rejects with one sentence, or with the signal's own reason when it aborts. */
export async function askForJson(request: VendorPost, caller: VendorCaller): Promise<unknown> {
  const { label, signal } = caller
  const { statusCode, body } = await askOverKept(request, caller)
  const text = await body.text().catch((cause) => {
    signal.throwIfAborted()
    throw new Error(`${label} broke off in the middle of its answer.`, { cause })
  })
  if (statusCode < 200 || statusCode > 299) throw refusedWith(statusCode, text, caller)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`${label} sent what cannot be read.`, { cause })
  }
}

export const refusedWith = (status: number, text: string, { label, account }: VendorCaller): Error =>
  new (isAboutAccount(status) ? VendorRefused : Error)(
    `${label} answered ${status}${refusalReason(text, account.credentials)}`,
  )
