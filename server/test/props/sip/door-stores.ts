// What a door needs besides sockets, in the memory of a test: settings, registrations that nobody else wants, telephones.
import type { Config } from '../../../src/platform/config.ts'
import { type Guard, openGuard } from '../../../src/platform/guard/guard.ts'
import type { TelephoneRegistration, Telephones } from '../../../src/ports/telephones.ts'
import type { LeasedRegistration, TrunkLeases } from '../../../src/ports/trunk.ts'

/** Of the only process there is. */
export function alone(): TrunkLeases & { readonly kept: Map<string, LeasedRegistration> } {
  const kept = new Map<string, LeasedRegistration>()
  return {
    kept,
    async claim(ids) {
      for (const numberId of ids)
        if (!kept.has(numberId))
          kept.set(numberId, {
            numberId,
            isOurs: true,
            state: 'registering',
            reason: null,
            contact: null,
            routes: [],
          })
      return ids.map((id) => kept.get(id) as LeasedRegistration)
    },
    report(ids, registration) {
      for (const numberId of ids) kept.set(numberId, { numberId, isOurs: true, ...registration })
    },
    async release(ids) {
      for (const id of ids) kept.delete(id)
    },
  }
}

export function memoryTelephones(): Telephones & { readonly bound: TelephoneRegistration[] } {
  const bound: TelephoneRegistration[] = []
  const isOf = (numberId: string, username: string) => (one: TelephoneRegistration) =>
    one.numberId === numberId && one.username === username
  const remove = (goes: (one: TelephoneRegistration) => boolean) => {
    for (let at = bound.length - 1; at >= 0; at--)
      if (goes(bound[at] as TelephoneRegistration)) bound.splice(at, 1)
  }
  return {
    bound,
    of: async (numberId, username) =>
      bound.filter(isOf(numberId, username)).filter(({ expiresAt }) => expiresAt.getTime() > Date.now()),
    async bind(registered) {
      const isIt = isOf(registered.numberId, registered.username)
      const before = bound.find((one) => isIt(one) && one.contact === registered.contact)
      if (before && before.callId === registered.callId && before.sequence >= registered.sequence)
        return false
      if (before) bound.splice(bound.indexOf(before), 1)
      bound.unshift(registered)
      return true
    },
    async unbind(numberId, username, contact) {
      remove((one) => isOf(numberId, username)(one) && (contact === null || one.contact === contact))
    },
  }
}

/** Connects to nobody: without anchors no certificate is fetched. */
export const idleGuard = (): Guard => openGuard({ allowPrivate: false, trustedHosts: [] })

type SipSettings = NonNullable<Config['sip']>

/** Any free port, and nobody who may call without a trunk. */
export const sipSettings = (more: Partial<SipSettings> = {}): SipSettings => ({
  port: 0,
  tls: undefined,
  address: undefined,
  edge: undefined,
  allow: [],
  digest: ['md5'],
  stirAnchors: undefined,
  rtpPorts: { from: 10_000, to: 10_100 },
  ...more,
})
