// The secrets in an agent's configuration: shown as `sk-…abcd`, kept sealed beside it, and only for the host that they
// were given for.
import type { Vault } from '../../platform/secrets.ts'
import { mapSecrets, type SecretPlace } from './secret-places.ts'

/** By JSON pointer: {"/llm_agent/llm_config/api_key": "sk-…"}. */
type Secrets = Readonly<Record<string, string>>

const purpose = 'agent secrets'
// A shorter secret would be half shown.
const leastShown = 16

export interface Hidden<Config> {
  readonly config: Config
  readonly sealed: Buffer | null
  /** About secrets that were left out. */
  readonly warnings: readonly Warning[]
}

export interface Warning {
  readonly path: string
  readonly message: string
}

export interface StoredAgent {
  readonly config: object
  readonly sealed: Buffer | null
}

interface StoredSecret {
  readonly value: string
  readonly origin: string | null
}

/**
 * Takes the secrets out of what was written. A masked value that comes back means the stored secret of that place, as
 * long as the place still leads to the same host; `before` is null for a new agent.
 */
export function hideSecrets<Config extends object>(
  vault: Vault,
  agentId: string,
  written: Config,
  before: StoredAgent | null,
): Hidden<Config> {
  const stored = before ? storedSecrets(vault, agentId, before) : new Map<string, StoredSecret>()
  const secrets: Record<string, string> = {}
  const warnings: Warning[] = []
  const config = mapSecrets(written, (place) => {
    if (place.value === '') return ''
    const meant = meantBy(place, stored)
    if (typeof meant === 'string') {
      warnings.push({ path: ['agent_config', ...place.path].join('.'), message: meant })
      return undefined
    }
    secrets[pointer(place.path)] = meant.value
    return masked(meant.value)
  })
  const isEmpty = Object.keys(secrets).length === 0
  return { config, warnings, sealed: isEmpty ? null : vault.seal(purpose, agentId, JSON.stringify(secrets)) }
}

/** Puts the secrets back, for the parts of the service that use them. */
export const keyOpener =
  (vault: Vault) =>
  <Config extends object>(agentId: string, config: Config, sealed: Buffer | null): Config => {
    const secrets = openSecrets(vault, agentId, sealed)
    return sealed ? mapSecrets(config, ({ path, value }) => secrets[pointer(path)] ?? value) : config
  }

/** The stored secret or the one that was written; a sentence when there is none to be had. */
function meantBy(place: SecretPlace, stored: ReadonlyMap<string, StoredSecret>): { value: string } | string {
  const { path, value, origin } = place
  if (!looksMasked(value)) return { value }
  const known = storedAt(path, value, stored)
  if (!known) return 'Removed: no secret is stored here. Write it out.'
  if (known.origin === origin) return known
  const from = known.origin ?? 'the default server'
  return `Removed: it was given for ${from} and would be sent to ${origin ?? 'the default server'}. Write it again.`
}

/** By place. A long mask that only one secret has may also have moved with its entry of a list or with its tool. */
function storedAt(path: readonly string[], mask: string, stored: ReadonlyMap<string, StoredSecret>) {
  const here = stored.get(pointer(path))
  if (here && masked(here.value) === mask) return here
  if (mask.length === 1) return undefined
  const alike = [...stored.values()].filter(({ value }) => masked(value) === mask)
  return new Set(alike.map(({ value }) => value)).size === 1 ? alike[0] : undefined
}

/** With the host that the stored configuration sends each of them to. */
function storedSecrets(
  vault: Vault,
  agentId: string,
  { config, sealed }: StoredAgent,
): ReadonlyMap<string, StoredSecret> {
  const secrets = openSecrets(vault, agentId, sealed)
  const stored = new Map<string, StoredSecret>()
  mapSecrets(config, ({ path, value: shown, origin }) => {
    const value = secrets[pointer(path)]
    if (value !== undefined) stored.set(pointer(path), { value, origin })
    return shown
  })
  return stored
}

function openSecrets(vault: Vault, agentId: string, sealed: Buffer | null): Secrets {
  if (!sealed) return {}
  const opened: Secrets = JSON.parse(vault.open(purpose, agentId, sealed))
  // Some are stored by their dotted path inside `llm_agent`.
  const entries = Object.entries(opened).map(([path, value]) => [
    path.startsWith('/') ? path : pointer(['llm_agent', ...path.split('.')]),
    value,
  ])
  return Object.fromEntries(entries)
}

const masked = (secret: string): string =>
  secret.length < leastShown ? '…' : `${secret.slice(0, 3)}…${secret.slice(-4)}`

/** No secret looks like this: keys and headers are ASCII. */
const looksMasked = (value: string): boolean => value === '…' || (value.length === 8 && value[3] === '…')

/** RFC 6901: names may contain any character. */
const pointer = (path: readonly string[]): string =>
  path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
