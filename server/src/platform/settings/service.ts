// Settings of the service: where it listens, which roles it has, how requests are limited, and what the first start
// makes.
import { z } from 'zod'
import { free, key, proxies, roleList, roles, seconds, set, whole, wordList } from './kinds.ts'

export const serviceSettings = {
  PORT: set(whole(0, 65_535), '8080', 'Where the service listens. 0 takes any free port and prints it.'),
  HOST: set(z.string(), '0.0.0.0', 'The address it listens on. 127.0.0.1 keeps it to this machine.'),
  PARLEY_RATE_LIMIT: set(whole(1, 100_000_000), '6000', 'Requests a minute that one API key may make.'),
  PARLEY_RATE_LIMIT_STORE: set(
    z.enum(['memory', 'postgres'], 'memory or postgres'),
    'memory',
    'Where requests are counted: `memory` counts in each process by itself; `postgres` shares one count between all processes, at the price of a query a request.',
  ),
  PARLEY_AUTH_FAILURE_LIMIT: set(
    whole(1, 100_000_000),
    '1000',
    'Failed authentications a minute that one client address may make in each process; more are answered 429. Valid keys from the same address go on working. Behind a reverse proxy, set `PARLEY_TRUST_PROXY` as well.',
  ),
  PARLEY_INVITATION_HOURS: set(
    whole(1, 8_760),
    '72',
    'How long the link of an invitation to the dashboard is valid, and one to choose a new password.',
  ),
  PARLEY_PUBLIC_URL: free(
    z.url({ protocol: /^https?$/, error: 'an address that begins with http:// or https://' }),
    'Where others reach the API, as in `https://voice.example.com`; recordings are given out below it. Unset: the address that this process listens on. Set it when you run more than one process or a proxy.',
  ),
  PARLEY_TRUSTED_HOSTS: set(
    wordList(),
    '',
    'Private hosts (host or host:port, comma-separated) that users of the API may name as well: a model server, tools, receivers of webhooks, the PBX behind a telephone number.',
  ),
  PARLEY_TRUST_PROXY: set(
    proxies(),
    'false',
    'Believe X-Forwarded-For and X-Forwarded-Proto of the reverse proxy in front, and only there: `true` for one proxy, a number for that many in a row, or the addresses and networks of the proxies, comma-separated. What a client wrote into X-Forwarded-For itself is not believed.',
  ),
  PARLEY_ROLES: set(roleList, roles.join(','), 'What this process serves, comma-separated.'),
  PARLEY_DRAIN_SECONDS: set(
    seconds(),
    '30',
    'How long a stopping process waits for requests and calls that are under way. Telephone calls that are left then go on in another process, if one has room; the others end as `worker_lost`.',
  ),
  PARLEY_SHUTDOWN_DELAY_SECONDS: set(
    seconds(),
    '0',
    'Before that: how long a stopping process still takes requests and calls from browsers, while `/readyz` says `draining` already. As long as your load balancer needs to notice, so that none of its requests is refused.',
  ),
}

export const firstRunSettings = {
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
