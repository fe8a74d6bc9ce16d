// An agent as it is read, written as text: its configuration is stored as JSON and passed on unparsed.
import type { Warning } from './agent-secrets.ts'
import type { AgentRow } from './store.ts'

/** Serialises an Agent of the contract. */
export const agentJson = ({ agent_id, status, config, version, created_at, updated_at }: AgentRow): string =>
  `{"agent_id":"${agent_id}","agent_config":${configJson(config, status)},"status":"${status}","version":${version},` +
  `"created_at":"${created_at.toISOString()}","updated_at":"${updated_at.toISOString()}"}`

/** A configuration is never empty, so the status can be inserted before its first key. */
export const configJson = (config: string, status: string): string =>
  `{"status":"${status}",${config.slice(1)}`

/** `answer` is an object with at least one key. */
export const withWarnings = (answer: string, warnings: readonly Warning[]): string =>
  warnings.length > 0 ? `${answer.slice(0, -1)},"warnings":${JSON.stringify(warnings)}}` : answer
