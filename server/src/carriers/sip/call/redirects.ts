// Where a 3xx leads, the best first (RFC 3261 §8.1.3.4).
import { parseNameAddress } from '../message/headers.ts'
import { listOf, type SipResponse } from '../message/message.ts'

export function redirectTargets(
  response: SipResponse,
  mayRedirectTo: (address: string) => boolean,
): string[] {
  return listOf(response, 'Contact')
    .flatMap((value) => parseNameAddress(value) ?? [])
    .map(({ address, parameters }) => ({ address, q: preference(parameters.get('q')) }))
    .sort((a, b) => b.q - a.q)
    .map(({ address }) => address)
    .filter(mayRedirectTo)
}

/** Without a value it is as good as any (§20.10). */
function preference(q: string | null | undefined): number {
  const value = Number(q ?? 1)
  return Number.isFinite(value) ? value : 0
}
