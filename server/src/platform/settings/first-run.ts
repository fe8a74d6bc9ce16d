// What is made on the first start, if it should not be random.
import { z } from 'zod'
import { free, key, set } from './kinds.ts'

export const firstRun = {
  PARLEY_WORKSPACE_ID: free(z.guid('a UUID'), 'The id of the first workspace, instead of a random one.'),
  PARLEY_API_KEY: free(
    key(),
    'An unbound API key with access to that workspace, instead of a random one. Changing it revokes the former.',
  ),
  PARLEY_WORKSPACE_API_KEY: free(
    key(),
    'An API key bound to that workspace, instead of a random one. Changing it revokes the former.',
  ),
  PARLEY_ADMIN_EMAIL: set(z.email('an e-mail address'), 'admin@parley.example', 'Signs in to the dashboard.'),
  PARLEY_ADMIN_PASSWORD: free(
    z.string().min(12, 'at least 12 characters').max(256, 'at most 256 characters'),
    'The password of that first user, instead of a random one. Read on the first start only.',
  ),
}
