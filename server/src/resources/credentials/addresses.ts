// The addresses that a workspace gives a vendor in place of its own host: one for all of its services, and those of single
// ones.
import type { NewCredentials } from '@parley/contract'
import { fail } from '../../http/failure.ts'
import type { Guard } from '../../platform/guard/guard.ts'
import { orTrusted } from '../../platform/guard/rules.ts'
import { type AccountService, accountServices } from '../../ports/account-address.ts'
import type { AccountPlan } from '../../ports/call-plan.ts'
import type { CheckAnswer, CredentialVendor, VendorAccount } from '../../ports/vendor.ts'

/** Of single services; null: there are none. */
export function addressesIn(given: NewCredentials['base_urls']): NonNullable<AccountPlan['baseUrls']> | null {
  const addresses = Object.fromEntries(
    accountServices.flatMap((service) => {
      const address = given?.[service]
      return address ? [[service, address]] : []
    }),
  )
  return Object.keys(addresses).length > 0 ? addresses : null
}

export async function mustBeReachable(
  guard: Pick<Guard, 'inspect'>,
  addresses: readonly { readonly path: string; readonly url: string }[],
): Promise<void> {
  const judged = await Promise.all(
    addresses.map(async ({ path, url }) => ({ path, verdict: await guard.inspect(url) })),
  )
  const details = judged.flatMap(({ path, verdict }) =>
    verdict.ok ? [] : [{ path, message: orTrusted(verdict, 'server') }],
  )
  if (details.length > 0) fail('URL_NOT_PUBLIC', { details })
}

/** Asks the vendor at every address that is used; the worst answer counts. */
export async function askAtEach(
  vendor: CredentialVendor,
  { credentials, baseUrl, baseUrls = {} }: AccountPlan,
  guard: Pick<Guard, 'lookupFor'>,
): Promise<CheckAnswer> {
  const at = (address: string | undefined): VendorAccount => ({
    credentials,
    ...(address !== undefined && { baseUrl: address, lookup: guard.lookupFor(address) }),
  })
  const isElsewhere = vendor.uses.every((use) => baseUrls[use] !== undefined)
  const own = accountServices.flatMap((service) => {
    const address = baseUrls[service]
    return address === undefined ? [] : [placed(service, vendor.check(at(address), service))]
  })
  const shared = isElsewhere ? [] : [placed(undefined, vendor.check(at(baseUrl)))]
  return worstOf(await Promise.all([...shared, ...own]))
}

interface PlacedAnswer extends CheckAnswer {
  /** Undefined: at the address of all other services. */
  readonly service: AccountService | undefined
}

const placed = async (
  service: AccountService | undefined,
  answer: Promise<CheckAnswer>,
): Promise<PlacedAnswer> => ({ service, ...(await answer) })

function worstOf(answers: readonly PlacedAnswer[]): CheckAnswer {
  const worst = answers.find(({ ok }) => ok === false) ?? answers.find(({ ok }) => ok === null) ?? answers[0]
  const told = answers.map(({ service, message }) =>
    answers.length > 1 ? `${service?.replace('_', ' ') ?? 'base address'}: ${message}` : message,
  )
  const ends = new Map(answers.flatMap(({ ends }) => [...(ends ?? [])]))
  return { ok: worst?.ok ?? null, status: worst?.status ?? null, message: told.join(' '), ends }
}
