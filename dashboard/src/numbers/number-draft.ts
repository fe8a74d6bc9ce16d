// The draft of a telephone number in its form, and the body that is sent of it. Pure.
import type { StoredPhoneNumber } from '@parley/contract'
import { changesBetween, isTree, type Tree, withValue } from '../ui/forms/tree.ts'

export const emptyNumber: Tree = {
  phone_number: '',
  provider: 'sip',
  label: null,
  inbound_agent_id: null,
  outbound_agent_id: null,
  status: 'active',
  credentials: {
    host: '',
    transport: 'udp',
    register: false,
    identity_header: 'P-Asserted-Identity',
    number_format: 'e164',
    srtp: 'off',
    symmetric_rtp: true,
    caller_verification: 'off',
  },
}

/** The password is not in the form: it is written and never read. */
export function draftOf(number: StoredPhoneNumber): Tree {
  const {
    phone_number_id: _id,
    phone_number: _n,
    provider: _p,
    created_at: _c,
    updated_at: _u,
    ...rest
  } = number
  if (!number.credentials) return rest
  const { password: _password, ...credentials } = number.credentials
  return { ...rest, credentials }
}

/** The body of a new number, without the fields that were left empty. */
export function newNumber({ credentials, ...draft }: Tree): Tree {
  const filled = (tree: Tree): Tree =>
    Object.fromEntries(
      Object.entries(tree).filter(([, value]) => value !== '' && value !== null && value !== undefined),
    )
  return {
    ...filled(draft),
    ...(draft.provider === 'sip' && isTree(credentials) && { credentials: filled(credentials) }),
  }
}

/** The body of an update: only what has changed. An emptied field becomes null. */
export function numberChanges(before: Tree, draft: Tree): Tree {
  const { changes, removed } = changesBetween(before, draft, { credentials: true })
  return removed.reduce((all, path) => withValue(all, path, null), changes)
}
