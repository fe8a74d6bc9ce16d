// The secrets of a tool. They stand where those of an entry of an agent's `api_tools` stand, and the same rules apply: shown
// by their ends, stored sealed, and bound to the host they were given for.
import type { Vault } from '../../platform/secrets.ts'
import { hideSecrets, keyOpener, type SecretOwner, sealedSecretsOf, type Warning } from '../agents/agents.ts'
import type { ToolConfig, ToolRow } from './store.ts'

type Secretive = Pick<ToolConfig, 'url' | 'headers' | 'query' | 'body'>
type StoredTool = Pick<ToolRow, 'config' | 'secrets'>

const place = 'api_tools'

export const sealedInTools = sealedSecretsOf('tools', {
  primaryKey: ['tool_id'],
  place: 't.tool_id',
  workspace: 't.workspace_id',
})

const wrapped = ({ url, headers, query, body }: ToolConfig) => ({
  [place]: { url: url ?? '', headers, query, body },
})

const unwrapped = (config: object): Secretive => {
  const { url, ...rest } = (config as { [place]: Secretive })[place]
  return { ...rest, url: url || null }
}

export interface HiddenTool {
  readonly config: ToolConfig
  readonly secrets: Buffer | null
  readonly warnings: readonly Warning[]
}

/** `before` is null for a new tool. */
export function hideToolSecrets(
  vault: Vault,
  owner: SecretOwner,
  written: ToolConfig,
  before: StoredTool | null,
): HiddenTool {
  const stored = before && { config: wrapped(before.config), sealed: before.secrets }
  const { config, sealed, warnings } = hideSecrets(vault, owner, wrapped(written), stored)
  const named = warnings.map(({ path, message }) => ({
    path: path.replace(`agent_config.${place}.`, ''),
    message,
  }))
  return { config: { ...written, ...unwrapped(config) }, secrets: sealed, warnings: named }
}

/** Restores the secrets of a configuration; see `keyOpener` of agents. */
export type OpenToolSecrets = (id: string, config: object, sealed: Buffer | null) => object

export const openToolSecrets = (
  open: OpenToolSecrets,
  { tool_id, config, secrets }: Pick<ToolRow, 'tool_id' | 'config' | 'secrets'>,
): ToolConfig => ({ ...config, ...unwrapped(open(tool_id, wrapped(config), secrets)) })

export const toolOpener = (vault: Vault): OpenToolSecrets => keyOpener(vault)

/** The texts that differ: what is masked in one and readable in the other. */
export function secretsIn(opened: ToolConfig, masked: ToolConfig): readonly string[] {
  const found: string[] = []
  const walk = (one: unknown, other: unknown): void => {
    if (typeof one === 'string') {
      if (one !== other) found.push(one)
      return
    }
    if (typeof one !== 'object' || one === null) return
    for (const [key, value] of Object.entries(one))
      walk(value, (other as Readonly<Record<string, unknown>> | null)?.[key])
  }
  walk([opened.headers, opened.query, opened.body], [masked.headers, masked.query, masked.body])
  return found
}
