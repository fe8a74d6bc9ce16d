// The keys of language models in an agent's configuration: shown only as `sk-…abcd`, kept sealed beside it.
import type { Vault } from '../../platform/secrets.ts'

/** By the path in `llm_agent`: {"llm_config.api_key": "sk-…"}. */
type Keys = Readonly<Record<string, string>>
type Tree = Record<string, unknown>

const purpose = 'agent secrets'
const secretName = 'api_key'
// A key that is shorter would be half shown.
const leastShown = 16

export interface Hidden<Config> {
  readonly config: Config
  readonly sealed: Buffer | null
}

/** What was shown and comes back means the key that it stands for. */
export function hideKeys<Config extends object>(
  vault: Vault,
  agentId: string,
  written: Config,
  before: Buffer | null,
): Hidden<Config> {
  const known = Object.values(openKeys(vault, agentId, before))
  const keys: Record<string, string> = {}
  const config = withKeys(written, (key, path) => {
    if (key === '') return key
    const real = known.find((one) => shown(one) === key) ?? key
    keys[path] = real
    return shown(real)
  })
  const isEmpty = Object.keys(keys).length === 0
  return { config, sealed: isEmpty ? null : vault.seal(purpose, agentId, JSON.stringify(keys)) }
}

/** For whoever speaks to the model. */
export const keyOpener =
  (vault: Vault) =>
  <Config extends object>(agentId: string, config: Config, sealed: Buffer | null): Config => {
    const keys = openKeys(vault, agentId, sealed)
    return sealed ? withKeys(config, (key, path) => keys[path] ?? key) : config
  }

const openKeys = (vault: Vault, agentId: string, sealed: Buffer | null): Keys =>
  sealed ? JSON.parse(vault.open(purpose, agentId, sealed)) : {}

const shown = (key: string): string => (key.length < leastShown ? '…' : `${key.slice(0, 3)}…${key.slice(-4)}`)

function withKeys<Config extends object>(
  config: Config,
  change: (key: string, path: string) => string,
): Config {
  const { llm_agent } = config as Tree
  return llm_agent === undefined ? config : { ...config, llm_agent: walk(llm_agent, [], change) }
}

function walk(
  value: unknown,
  path: readonly string[],
  change: (key: string, path: string) => string,
): unknown {
  if (Array.isArray(value)) return value.map((item, place) => walk(item, [...path, String(place)], change))
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([name, item]) => [name, walk(item, [...path, name], change)])
    return Object.fromEntries(entries)
  }
  return typeof value === 'string' && path.at(-1) === secretName ? change(value, path.join('.')) : value
}
