// Roles in words.
import type { Role } from '@parley/contract/addresses'

export const roleWords: Record<Role, string> = { viewer: 'Viewer', editor: 'Editor', admin: 'Admin' }

/** What each role may do, for the user who chooses one. */
export const roleHints: Record<Role, string> = {
  viewer: 'Sees everything: agents, calls, recordings, usage. Changes nothing.',
  editor: 'Also changes agents, numbers and batches, makes calls and listens in.',
  admin: 'Also decides about people, keys, erasing callers and the workspace itself.',
}
