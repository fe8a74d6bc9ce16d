// The versions of an agent: listed, compared, brought back.
import { isDeepStrictEqual } from 'node:util'
import { type AgentVersion, type AgentVersionDetail, type PageQuery, paginate } from '@parley/contract'
import { Verbatim } from '../../http/answer.ts'
import type { Author } from '../../http/authenticate.ts'
import { fail } from '../../http/failure.ts'
import type { Work } from '../../http/work.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Vault } from '../../platform/secrets.ts'
import { keyOpener } from './agent-secrets.ts'
import { warningsOn } from './agent-warnings.ts'
import { settledStatus } from './change-agent.ts'
import { type AgentChecks, checkReferences } from './references.ts'
import { isTree } from './secret-places.ts'
import {
  type AgentConfigJson,
  type AgentRow,
  agentJson,
  configJson,
  findAgent,
  restoreAgent,
  withWarnings,
} from './store.ts'
import { findVersion, pageOfVersions, type VersionRow } from './version-store.ts'

export const versionRules = (db: Db, vault: Vault, { references = [], ...checks }: AgentChecks) => {
  const mustFind = async (workspaceId: string, agentId: string): Promise<AgentRow> =>
    (await findAgent(db, workspaceId, agentId)) ?? fail('AGENT_NOT_FOUND')
  const mustFindVersion = async (agentId: string, version: number) =>
    (await findVersion(db, agentId, version)) ?? fail('AGENT_VERSION_NOT_FOUND')
  const openSecrets = keyOpener(vault)

  /** Secrets are compared as they are, and shown by their ends. */
  const compare = (agentId: string, before: VersionRow | undefined, after: VersionRow): Difference[] => {
    if (!before) return []
    const [from, to] = [before, after].map(({ config, secrets, status }) => {
      const shown = JSON.parse(configJson(config, status)) as object
      return { shown, meant: openSecrets(agentId, shown, secrets) }
    })
    return from && to ? differences(from, to) : []
  }

  return {
    async versions(workspaceId: string, agentId: string, query: PageQuery) {
      const { version } = await mustFind(workspaceId, agentId)
      const { rows, total } = await pageOfVersions(db, agentId, query)
      const data = rows.slice(0, query.limit).map((row, at): AgentVersion => {
        const before = rows[at + 1]
        const changed = before ? compare(agentId, before, row).map(({ path }) => path) : null
        return { ...wireOf(row, version), changed }
      })
      return { data, pagination: paginate(query, total) }
    },

    async version(
      workspaceId: string,
      agentId: string,
      version: number,
      compareWith: number | undefined,
    ): Promise<AgentVersionDetail> {
      const current = await mustFind(workspaceId, agentId)
      const { row, before } = await mustFindVersion(agentId, version)
      const other = compareWith === undefined ? before : (await mustFindVersion(agentId, compareWith)).row
      return {
        ...wireOf(row, current.version),
        changed: before ? compare(agentId, before, row).map(({ path }) => path) : null,
        agent_config: JSON.parse(configJson(row.config, row.status)),
        compared_with: other?.version ?? null,
        diff: compare(agentId, other, row),
      }
    },

    async restore(
      workspaceId: string,
      agentId: string,
      version: number,
      author: Author,
      work: Work,
    ): Promise<Verbatim> {
      const before = await mustFind(workspaceId, agentId)
      const { row } = await mustFindVersion(agentId, version)
      const config: AgentConfigJson = JSON.parse(row.config)
      await checkReferences(references, workspaceId, config)
      const warnings = warningsOn(checks, config)
      const status = await settledStatus(db, references, before.status, config)
      const at = new Date()
      const hidden = { config, sealed: row.secrets, warnings: [] }
      const saved = { status, hidden }
      work.add(restoreAgent({ workspaceId, before, version, saved, author, at }))
      const after = { ...before, config: row.config, status, version: before.version + 1, updated_at: at }
      return new Verbatim(withWarnings(agentJson(after), warnings))
    },
  }
}

const wireOf = (row: VersionRow, current: number): Omit<AgentVersion, 'changed'> => ({
  version: row.version,
  is_current: row.version === current,
  status: row.status,
  author: row.author_type && { type: row.author_type, id: row.author_id, name: row.author_name },
  saved_at: row.saved_at.toISOString(),
  restored_from: row.restored_from,
})

// In which fields two configurations differ. Pure.

interface Difference {
  readonly path: string
  readonly change: 'added' | 'removed' | 'changed'
  readonly before?: unknown
  readonly after?: unknown
}

/** A configuration with its secrets, and as it may be shown. */
interface ComparedConfig {
  readonly meant: unknown
  readonly shown: unknown
}

/** Field by field; `shown` has the shape of `meant`. */
function differences(before: ComparedConfig, after: ComparedConfig, path = 'agent_config'): Difference[] {
  const [from, to] = [partsOf(before), partsOf(after)]
  if (!from || !to || from.isList !== to.isList) return unlike(before, after, path)
  const names = new Set([...to.parts.keys(), ...from.parts.keys()])
  return [...names].flatMap((name): Difference[] => {
    const [old, now] = [from.parts.get(name), to.parts.get(name)]
    const at = `${path}.${name}`
    if (!old) return [{ path: at, change: 'added', after: now?.shown }]
    if (!now) return [{ path: at, change: 'removed', before: old.shown }]
    return differences(old, now, at)
  })
}

const unlike = (before: ComparedConfig, after: ComparedConfig, path: string): Difference[] =>
  isDeepStrictEqual(before.meant, after.meant)
    ? []
    : [{ path, change: 'changed', before: before.shown, after: after.shown }]

/** The parts of an object, and of a list whose items have ids, by which they are told apart when one is inserted. */
function partsOf({ meant, shown }: ComparedConfig) {
  if (isTree(meant) && isTree(shown)) {
    const parts = Object.keys(meant).map(
      (name) => [name, { meant: meant[name], shown: shown[name] }] as const,
    )
    return { isList: false, parts: new Map<string, ComparedConfig>(parts) }
  }
  if (!Array.isArray(meant) || !Array.isArray(shown) || meant.length === 0) return undefined
  const parts = new Map<string, ComparedConfig>()
  for (const [at, item] of meant.entries()) {
    const id: unknown = isTree(item) ? item.id : undefined
    if (typeof id !== 'string' || parts.has(id)) return undefined
    parts.set(id, { meant: item, shown: shown[at] })
  }
  return { isList: true, parts }
}
