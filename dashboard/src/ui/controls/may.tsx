// What the person in front of the page may do, for buttons and forms that need a role.
import type { Access, Address } from '@parley/contract/addresses'
import { createContext, use } from 'react'

/** A sentence that says why not; undefined: they may. */
export type WhyNot = (access: Access) => string | undefined

/** Without a provider everything is allowed: the server decides. */
export const Rights = createContext<WhyNot>(() => undefined)

export function useWhyNot(needs: Pick<Address, 'access'> | undefined): string | undefined {
  const whyNot = use(Rights)
  return needs && whyNot(needs.access)
}
