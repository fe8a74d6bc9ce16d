// Asks a vendor whether credentials are valid: one harmless request, whose answer becomes a sentence.
import { request as send } from 'undici'
import type { CheckAnswer, VendorAccount, VendorCheck } from '../../ports/vendor.ts'
import { refusalReason } from './wire/vendor-failure.ts'
import { vendorConnections } from './wire/vendor-request.ts'

// A user waits for the answer on a page.
const patienceMs = 8_000

export async function checkVendor(
  label: string,
  { credentials, lookup }: VendorAccount,
  check: VendorCheck | undefined,
): Promise<CheckAnswer> {
  if (!check)
    return { ok: null, status: null, message: `${label} has no request that would tell; a call will.` }
  const { url, method, headers, body, endsIn, refusalHeader = '' } = check
  const signal = AbortSignal.timeout(patienceMs)
  const options = { method, headers, body: body ?? null, signal, dispatcher: vendorConnections(lookup) }
  try {
    const answer = await send(url, options)
    const text = await answer.body.text()
    const told = answer.headers[refusalHeader]?.toString() ?? text
    const verdict = judge(label, answer.statusCode, refusalReason(told, credentials))
    return verdict.ok && endsIn ? { ...verdict, ends: endsIn(parsed(text)) } : verdict
  } catch (cause) {
    const { code, name } = cause as NodeJS.ErrnoException
    const why = signal.aborted ? 'it did not answer in time' : (code ?? name)
    return { ok: null, status: null, message: `${label} could not be reached: ${why}.` }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A proxy that answers for the vendor may say anything.
    return undefined
  }
}

/** `reason` begins with a colon, or is a full stop. */
function judge(label: string, status: number, reason: string): CheckAnswer {
  if (status >= 200 && status < 300) return { ok: true, status, message: 'The key is valid.' }
  if (status === 401 || status === 403) return { ok: false, status, message: `Refused: ${status}${reason}` }
  if (status === 429)
    return { ok: null, status, message: `${label} has too many requests now (429)${reason} Try again later.` }
  return {
    ok: null,
    status,
    message: `${label} answered ${status}, which tells nothing about the key${reason}`,
  }
}
