// Settings of calls: how many there are at a time, their recordings, and calls from browsers.
import { z } from 'zod'
import { free, seconds, set, whole, wordList } from './kinds.ts'

export const callSettings = {
  PARLEY_CALL_EVENT_DELAY_SECONDS: set(seconds(), '45', 'From the end of a call to its event.'),
  PARLEY_RECORDING_URL_SECONDS: set(
    whole(1, 315_360_000),
    '604800',
    'How long the signed address of a recording is valid. The one in an event cannot be renewed; every look at a call gives a new one.',
  ),
  PARLEY_BROWSER_URL: free(
    z.url({ protocol: /^https?$/, error: 'an address that begins with http:// or https://' }),
    'Where browsers reach the processes with the role `media`, as in `https://media.example.com`. Unset: `PARLEY_PUBLIC_URL`, or where the request for the call came.',
  ),
  PARLEY_BROWSER_ORIGINS: set(
    wordList(),
    '',
    'Sites of your own (as in `https://shop.example.com`, comma-separated) whose pages may join calls as well, with a token.',
  ),
  PARLEY_JOIN_SECONDS: set(
    seconds(),
    '120',
    'How long a browser may take to join the call that it has a token for.',
  ),
  PARLEY_MEDIA_CAPACITY: set(whole(1, 100_000), '100', 'Calls that this process runs at a time.'),
  PARLEY_LATE_SOUND_PERCENT: set(
    whole(1, 100),
    '5',
    'How much of the sound may leave late before this process takes no more calls. It is measured on the clock of the calls: once a larger share of its ticks was more than 20 ms late in three of the last five seconds, telephone calls are answered with 503, requests for calls with `SERVICE_OVERLOADED`, and calls that are queued wait, until five seconds in a row were good. With 100 no call is refused for it.',
  ),
  PARLEY_SANDBOX: set(
    z.enum(['numbers', 'all', 'off'], 'numbers, all or off'),
    'numbers',
    'Which calls are simulated instead of dialled. `numbers`: those to the numbers of the sandbox, which begin with `+15550`; `all`: every call, whatever its number; `off`: none. A call that is neither simulated nor has a telephone line is refused when it is created. Set it alike for all processes.',
  ),
  PARLEY_TURN_URLS: set(
    wordList().pipe(
      z.array(z.string().regex(/^turns?:[^\s/]+$/, 'a comma-separated list of turn: and turns: addresses')),
    ),
    '',
    'A TURN relay for browsers, as in `turn:turn.example.com:3478,turn:turn.example.com:3478?transport=tcp,turns:turn.example.com:5349` (`deploy/edge/`), where they cannot send UDP to this process: it has no public address, or their network lets none out. Empty: such calls go over the WebSocket.',
  ),
  PARLEY_TURN_SECRET: free(
    z.string().min(16, 'at least 16 characters'),
    'The `static-auth-secret` of that relay. Required with `PARLEY_TURN_URLS`; browsers get credentials for one call.',
  ),
  PARLEY_WORKSPACE_CONCURRENCY: set(
    whole(1, 1_000_000),
    '100',
    'Calls of one workspace at a time, over all processes; others wait.',
  ),
  PARLEY_NUMBER_CONCURRENCY: set(
    whole(1, 1_000_000),
    '50',
    'Of these, calls of one telephone number of the workspace, in both directions together; a number may have a lower limit of its own.',
  ),
}
