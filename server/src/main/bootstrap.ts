// The first start: creates a workspace, two keys and a user.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../platform/config.ts'
import { statement } from '../platform/db/db.ts'
import { newId, randomBase62 } from '../platform/ids.ts'
import type { Infrastructure } from '../platform/infrastructure.ts'
import { keys, newApiKey } from '../resources/keys/keys.ts'
import { users } from '../resources/users/users.ts'
import { workspaces } from '../resources/workspaces/workspaces.ts'

const FirstRun = z.object({
  workspace_id: z.string(),
  workspace_api_key: z.string(),
  api_key: z.string(),
  dashboard_email: z.string(),
  dashboard_password: z.string(),
})

export type FirstRun = z.infer<typeof FirstRun>

// Only one process at a time creates them, even if several start together on one database.
const lock = statement('SELECT pg_advisory_xact_lock(7270539002)')

/** Returns what was created, on the first start only. Values set by the environment are enforced on every start. */
export function bootstrap({ config, db }: Infrastructure): Promise<FirstRun | undefined> {
  return db.transaction(async (tx) => {
    await tx.rows(lock)
    const workspaceRules = workspaces(tx)
    const ring = keys(tx)
    const oldest = await workspaceRules.first()
    const first = oldest === undefined ? await firstRun(config) : undefined

    const workspaceId = config.workspaceId?.toLowerCase() ?? first?.workspace_id ?? (oldest as string)
    await workspaceRules.ensure(workspaceId, 'Default')
    const apiKey = config.apiKey ?? first?.api_key
    if (apiKey) await ring.ensure(apiKey, 'First unbound key', { access: [workspaceId] }, 'PARLEY_API_KEY')
    const boundKey = config.workspaceApiKey ?? first?.workspace_api_key
    if (boundKey) await ring.ensure(boundKey, 'First bound key', { workspaceId }, 'PARLEY_WORKSPACE_API_KEY')

    if (first && !(await users(db).exist())) {
      await users(db).create({
        email: first.dashboard_email,
        password: first.dashboard_password,
        owner: true,
        workspaces: [],
      })
    }
    return first
  })
}

/**
 * The values are written to disk before anything is stored, so that a start that was killed in between continues with
 * them.
 */
async function firstRun(config: Config): Promise<FirstRun> {
  const path = join(config.dataDir, 'first-run.json')
  const kept = await readFile(path, 'utf8').then(
    (text) => FirstRun.parse(JSON.parse(text)),
    () => undefined,
  )
  const facts: FirstRun = {
    workspace_id: config.workspaceId?.toLowerCase() ?? kept?.workspace_id ?? newId(),
    workspace_api_key: config.workspaceApiKey ?? kept?.workspace_api_key ?? newApiKey(),
    api_key: config.apiKey ?? kept?.api_key ?? newApiKey(),
    dashboard_email: config.adminEmail,
    dashboard_password: config.adminPassword ?? kept?.dashboard_password ?? randomBase62(20),
  }
  await writeFile(`${path}.new`, `${JSON.stringify(facts, null, 2)}\n`, { mode: 0o600 })
  await rename(`${path}.new`, path)
  return facts
}
