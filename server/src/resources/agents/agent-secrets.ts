// The secrets in an agent's configuration: shown masked as `sk-…abcd`, stored encrypted beside it, and each bound to
// the host it was given for.
import type { SealedColumn } from '../../platform/reseal.ts'
import type { Vault } from '../../platform/secrets.ts'
import { mapSecrets, type SecretPlace } from './secret-places.ts'

/** By JSON pointer: {"/llm_agent/llm_config/api_key": "sk-…"}. */
type Secrets = Readonly<Record<string, string>>

const purpose = 'agent secrets'

/** For tables whose rows hold what `hideSecrets` has sealed for the agent or tool with that id. */
export const sealedSecretsOf = (
  table: string,
  owner: { readonly primaryKey: readonly string[]; readonly place: string; readonly workspace: string },
): SealedColumn => ({ ...owner, table, column: 'secrets', purpose })

export const sealedInAgents: readonly SealedColumn[] = [
  sealedSecretsOf('agents', {
    primaryKey: ['agent_id'],
    place: 't.agent_id',
    workspace: 't.workspace_id',
  }),
  sealedSecretsOf('agent_versions', {
    primaryKey: ['agent_id', 'version'],
    place: 't.agent_id',
    workspace: 'SELECT a.workspace_id FROM agents a WHERE a.agent_id = t.agent_id',
  }),
]

// The mask shows seven characters: at least half of the secret must stay hidden.
const leastShown = 16

export interface Hidden<Config> {
  readonly config: Config
  readonly sealed: Buffer | null
  /** For secrets that were dropped. */
  readonly warnings: readonly Warning[]
}

export interface Warning {
  readonly path: string
  readonly message: string
}

export interface SealedAgent {
  readonly config: object
  readonly sealed: Buffer | null
}

/** The owner of secrets: an agent or a tool. */
export interface SecretOwner {
  readonly workspaceId: string
  readonly id: string
}

interface StoredSecret {
  readonly value: string
  readonly origin: string | null
}

/**
 * Extracts the secrets from a written configuration. A masked value stands for the stored secret at that path, as long
 * as the path still points to the same host. `before` is null for a new agent.
 */
export function hideSecrets<Config extends object>(
  vault: Vault,
  { workspaceId, id }: SecretOwner,
  written: Config,
  before: SealedAgent | null,
): Hidden<Config> {
  const stored = before ? storedSecrets(vault, id, before) : new Map<string, StoredSecret>()
  const secrets: Record<string, string> = {}
  const warnings: Warning[] = []
  const config = mapSecrets(written, (place) => {
    if (place.value === '') return ''
    const meant = resolveSecret(place, stored)
    if (typeof meant === 'string') {
      warnings.push({ path: ['agent_config', ...place.path].join('.'), message: meant })
      return undefined
    }
    secrets[pointer(place.path)] = meant.value
    return shownSecret(meant.value)
  })
  const isEmpty = Object.keys(secrets).length === 0
  const seal = () => vault.seal(workspaceId, purpose, id, JSON.stringify(secrets))
  return { config, warnings, sealed: isEmpty ? null : seal() }
}

/** Restores the secrets, for the parts of the service that use them. */
export const keyOpener =
  (vault: Vault) =>
  <Config extends object>(agentId: string, config: Config, sealed: Buffer | null): Config => {
    const secrets = openSecrets(vault, agentId, sealed)
    return sealed ? mapSecrets(config, ({ path, value }) => secrets[pointer(path)] ?? value) : config
  }

/** Whether the same secrets are sealed: the same text is never sealed the same way twice. */
export function sameSecrets(
  vault: Vault,
  agentId: string,
  one: Buffer | null,
  other: Buffer | null,
): boolean {
  const [a, b] = [openSecrets(vault, agentId, one), openSecrets(vault, agentId, other)]
  const places = Object.keys(a)
  return places.length === Object.keys(b).length && places.every((place) => a[place] === b[place])
}

/** The stored or newly written secret; if there is neither, a sentence that says so. */
function resolveSecret(
  place: SecretPlace,
  stored: ReadonlyMap<string, StoredSecret>,
): { value: string } | string {
  const { path, value, origin } = place
  if (!looksMasked(value)) return { value }
  const known = storedAt(path, value, stored)
  if (!known) return 'Removed: no secret is stored here. Write it out.'
  if (known.origin === origin) return known
  const from = known.origin ?? 'the default server'
  return `Removed: it was given for ${from} and would be sent to ${origin ?? 'the default server'}. Write it again.`
}

/** Secrets are matched by path. A long mask that only one secret has may have moved with its list entry or its tool. */
function storedAt(path: readonly string[], mask: string, stored: ReadonlyMap<string, StoredSecret>) {
  const here = stored.get(pointer(path))
  if (here && shownSecret(here.value) === mask) return here
  if (mask.length === 1) return undefined
  const alike = [...stored.values()].filter(({ value }) => shownSecret(value) === mask)
  return new Set(alike.map(({ value }) => value)).size === 1 ? alike[0] : undefined
}

/** Returns each secret with the host that the stored configuration sends it to. */
function storedSecrets(
  vault: Vault,
  agentId: string,
  { config, sealed }: SealedAgent,
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
  // Some rows store dotted paths relative to `llm_agent`.
  const entries = Object.entries(opened).map(([path, value]) => [
    path.startsWith('/') ? path : pointer(['llm_agent', ...path.split('.')]),
    value,
  ])
  return Object.fromEntries(entries)
}

/** Shows the ends of a secret, where enough of it stays hidden. */
export const shownSecret = (secret: string): string =>
  secret.length < leastShown ? '…' : `${secret.slice(0, 3)}…${secret.slice(-4)}`

/** A real secret never looks like this: keys and headers are ASCII. */
export const looksMasked = (value: string): boolean =>
  value === '…' || (value.length === 8 && value[3] === '…')

/** RFC 6901: names may contain any character. */
const pointer = (path: readonly string[]): string =>
  path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
