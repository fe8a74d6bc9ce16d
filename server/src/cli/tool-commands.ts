// `parley tools …`: the tools of a workspace, and trials of them.
import { Id, type StoredTool, ToolTrial } from '@parley/contract'
import type { Command } from 'commander'
import { fail } from '../http/failure.ts'
import { toolTrials } from '../mind/tools/try-tool.ts'
import { type Tools, tools } from '../resources/tools/tools.ts'
import { pairOf, type Shell } from './shell.ts'
import { everyPage, type InWorkspace, inWorkspace, withUserGuard } from './workspace-option.ts'

interface TryOptions extends InWorkspace {
  arguments: string
  variable?: string[]
  tool?: string
}

export default function addToolCommands(
  group: Command,
  { terminal, withInfrastructure, checked }: Shell,
): void {
  const command = (name: string) => inWorkspace(group.command(name), 'whose tools')
  /** Runs with the rules of tools, and closes what was opened for them. */
  const withTools = (run: (rules: Tools) => Promise<unknown>) =>
    withInfrastructure((infrastructure) =>
      withUserGuard(infrastructure, (guard) => {
        const { db, vault } = infrastructure
        return run(tools({ db, vault, guard, trials: toolTrials(guard) }))
      }),
    )

  command('list').action(({ workspace }: InWorkspace) =>
    withTools(async (rules) => (await allTools(rules, workspace)).map(brief)),
  )
  command('try')
    .description('asks a tool for real, with sample arguments; lists the tools of an MCP server')
    .argument('<tool>', 'its id, or its name')
    .option('--arguments <json>', 'what the model would give, as in \'{"order":"A7"}\'', '{}')
    .option('--variable <name=value...>', 'variables of the imagined call')
    .option('--tool <name>', 'which tool of an MCP server to call')
    .action((named: string, options: TryOptions) =>
      withTools(async (rules) => {
        const trial = checked(ToolTrial, {
          arguments: parsed(options.arguments),
          variables: Object.fromEntries((options.variable ?? []).map(pairOf)),
          tool_name: options.tool,
        })
        const { tool_id } = await toolNamed(rules, options.workspace, named)
        const tried = await rules.try(options.workspace, tool_id, trial)
        if (!tried.ok) terminal.exitCode = 1
        return tried
      }),
    )
}

const allTools = (rules: Tools, workspaceId: string): Promise<StoredTool[]> =>
  everyPage((page) => rules.list(workspaceId, undefined, page))

/** Names are not unique; of several tools the newest is meant. */
async function toolNamed(rules: Tools, workspaceId: string, named: string): Promise<StoredTool> {
  if (Id.safeParse(named).success) return rules.get(workspaceId, named)
  const found = (await allTools(rules, workspaceId)).find(({ name }) => name === named)
  return found ?? fail('TOOL_NOT_FOUND', { message: `This workspace has no tool ${named}.` })
}

const parsed = (json: string): Record<string, unknown> => {
  try {
    return JSON.parse(json)
  } catch (cause) {
    return fail('VALIDATION_ERROR', { cause, details: [{ path: '--arguments', message: 'Must be JSON.' }] })
  }
}

/** The fields that fit into a line of a table. */
const brief = ({ tool_id, type, name, method, url, updated_at }: StoredTool) => ({
  tool_id,
  type,
  name,
  method,
  url,
  updated_at,
})
