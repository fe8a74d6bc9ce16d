// The --workspace of commands that are about one: by id or by name, and left out where there is only one.
import { Id, limits } from '@parley/contract'
import type { Command } from 'commander'
import { fail } from '../http/failure.ts'
import type { Queries } from '../platform/db/db.ts'
import { type Guard, openUserGuard } from '../platform/guard/guard.ts'
import type { Infrastructure } from '../platform/infrastructure.ts'
import { workspaces } from '../resources/workspaces/workspaces.ts'
import type { Shell } from './shell.ts'

/** The options of a command that is about a workspace. */
export interface InWorkspace {
  workspace: string
}

const about = new WeakSet<Command>()

export function inWorkspace(command: Command, whose: string): Command {
  about.add(command)
  return command.option('--workspace <id-or-name>', `${whose}; not needed if there is one workspace only`)
}

// More workspaces than anybody reads or types the names of.
const everyOne = { page: 1, limit: 100 }

/** Runs before every command, and puts the id of the workspace in the place of what was given. */
export async function findWorkspace(
  command: Command,
  shell: Pick<Shell, 'withInfrastructure'>,
): Promise<void> {
  if (!about.has(command)) return
  const given: string | undefined = command.opts().workspace
  await shell.withInfrastructure(async ({ db }) => {
    command.setOptionValue('workspace', await workspaceGiven(db, given))
  })
}

/**
 * Returns the id of the workspace that is named, or of the only one. `how` says how to name one, for a user who has
 * several.
 */
export async function workspaceGiven(
  db: Queries,
  given: string | undefined,
  how = 'with --workspace',
): Promise<string> {
  if (given && Id.safeParse(given).success) return given.toLowerCase()
  const { data } = await workspaces(db).list(null, everyOne)
  const fitting = given ? data.filter(({ name }) => name.toLowerCase() === given.toLowerCase()) : data
  const [only, ...more] = fitting
  if (only && more.length === 0) return only.workspace_id
  return fail('VALIDATION_ERROR', { message: sentence(given, fitting.length ? fitting : data, how) })
}

function sentence(
  given: string | undefined,
  choice: readonly { workspace_id: string; name: string }[],
  how: string,
): string {
  const list = choice.map(({ workspace_id, name }) => `  ${workspace_id}  ${name}`).join('\n')
  if (choice.length === 0) return 'There is no workspace yet. `parley workspace create <name>` makes one.'
  if (given) return `There is no one workspace "${given}". Give one of these:\n${list}`
  return `There are several workspaces. Say which ${how}:\n${list}`
}

/** Reads a list to its end, page by page. */
export async function everyPage<Item>(
  read: (page: { page: number; limit: number }) => Promise<{ data: Item[] }>,
): Promise<Item[]> {
  const items: Item[] = []
  for (let page = 1; ; page++) {
    const { data } = await read({ page, limit: limits.limit.max })
    items.push(...data)
    if (data.length < limits.limit.max) return items
  }
}

/** Runs with a guard of hosts that users name, and closes it. */
export async function withUserGuard<Answer>(
  { config }: Infrastructure,
  run: (guard: Guard) => Promise<Answer>,
): Promise<Answer> {
  const guard = openUserGuard(config)
  try {
    return await run(guard)
  } finally {
    await guard.close()
  }
}
