// Whether a role is enough for an operation.
import { isAtLeast, type Role } from '@parley/contract'
import { fail } from './failure.ts'

const doers: Record<Role, string> = { viewer: 'A viewer', editor: 'An editor', admin: 'An admin' }

/** Undefined: somebody who has this role in no workspace. */
export function mustBeAtLeast(role: Role | undefined, needed: Role): void {
  if (role && isAtLeast(role, needed)) return
  const has = role ? ` Your role is ${role}.` : ''
  fail('ROLE_REQUIRED', { message: `${doers[needed]} of the workspace may do this.${has}` })
}
