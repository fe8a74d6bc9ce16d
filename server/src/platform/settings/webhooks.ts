// Settings of webhooks: how events are delivered.
import { flag, seconds, set } from './kinds.ts'

export const webhookSettings = {
  PARLEY_WEBHOOK_BACKOFF_SECONDS: set(
    seconds(),
    '5',
    'From the first failed delivery to the second attempt; doubles after that.',
  ),
  PARLEY_WEBHOOK_TIMEOUT_SECONDS: set(
    seconds(),
    '10',
    'One delivery attempt, from the name look-up to the status of the answer.',
  ),
  PARLEY_WEBHOOK_ALLOW_PRIVATE: set(
    flag(),
    'false',
    'Lets webhooks reach private addresses and plain http. For development only.',
  ),
}
