// The rights of the user, for buttons and forms that need a role.
import type { Access, Address } from '@parley/contract/addresses'
import { createContext, use } from 'react'

/** A sentence that says why the user may not do something. Undefined: they may. */
export type WhyNot = (access: Access) => string | undefined

/** The rights for the components below. Without a provider everything is allowed, and the server decides. */
export const Rights = createContext<WhyNot>(() => undefined)

export function useWhyNot(needs: Pick<Address, 'access'> | undefined): string | undefined {
  const whyNot = use(Rights)
  return needs && whyNot(needs.access)
}
