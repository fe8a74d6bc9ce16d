// `parley agents …`: the agents of a workspace, their graphs as files, their versions and the way back.
import { readFile } from 'node:fs/promises'
import { Id, putAgentGraph, restoreAgentVersion } from '@parley/contract'
import type { Command } from 'commander'
import type { Verbatim } from '../http/answer.ts'
import { operator } from '../http/authenticate.ts'
import { fail } from '../http/failure.ts'
import { committed } from '../http/work.ts'
import { agentChecks } from '../main/agent-checks.ts'
import { type Agents, agents } from '../resources/agents/agents.ts'
import type { Shell } from './shell.ts'
import { type InWorkspace, inWorkspace } from './workspace-option.ts'

export default function addAgentCommands(
  group: Command,
  { terminal, withInfrastructure, checked }: Shell,
): void {
  const command = (name: string) => inWorkspace(group.command(name), 'whose agents')
  const withAgents = (run: (rules: Agents) => Promise<unknown>) =>
    withInfrastructure(async ({ db, vault, config }) => run(agents(db, vault, agentChecks(db, config))))

  command('list').action(({ workspace }: InWorkspace) =>
    withAgents(async (rules) => {
      const { data } = read<{ data: AgentListItem[] }>(await rules.list(workspace, { page: 1, limit: 100 }))
      return data.map(brief)
    }),
  )
  command('graph')
    .description('prints the graph of an agent as JSON, or replaces it by one in a file')
    .argument('<agent-id>')
    .option('--put <file>', 'the new graph: {"nodes": […]}, as it is printed')
    .action((agentId: string, { workspace, put }: InWorkspace & { put?: string }) =>
      withAgents(async (rules) => {
        const id = checked(Id, agentId)
        if (put === undefined) {
          terminal.stdout.write(`${JSON.stringify(read(await rules.graph(workspace, id)), null, 2)}\n`)
          return undefined
        }
        const graph = checked(putAgentGraph.body, writable(await jsonIn(put)))
        const { agent_id, version } = read<{ agent_id: string; version: number }>(
          await rules.putGraph(workspace, id, graph, operator),
        )
        return { agent_id, version, nodes: graph.nodes.length }
      }),
    )
  command('versions')
    .description('lists the last versions of an agent, newest first')
    .argument('<agent-id>')
    .action((agentId: string, { workspace }: InWorkspace) =>
      withAgents(async (rules) => {
        const { data } = await rules.versions(workspace, checked(Id, agentId), { page: 1, limit: 100 })
        return data.map(({ version, saved_at, author, restored_from, changed }) => ({
          version,
          saved_at,
          author: author?.name ?? author?.type ?? null,
          restored_from,
          changed: changed?.map((path) => path.replace('agent_config.', '')).join(', ') ?? null,
        }))
      }),
    )
  command('restore')
    .description('brings a version of an agent back, as a new version')
    .argument('<agent-id>')
    .argument('<version>')
    .action((id: string, written: string, { workspace }: InWorkspace) =>
      withInfrastructure(async ({ db, vault, config }) => {
        const { id: agentId, version } = checked(restoreAgentVersion.params, { id, version: written })
        const restored = await committed(db, (work) =>
          agents(db, vault, agentChecks(db, config)).restore(workspace, agentId, version, operator, work),
        )
        return brief(read<AgentListItem>(restored))
      }),
    )
}

interface AgentListItem {
  readonly agent_id: string
  readonly agent_config: { readonly agent_name: string; readonly agent_type: string }
  readonly status: string
  readonly version: number
  readonly updated_at: string
}

/** The fields that fit into a line of a table. */
const brief = ({ agent_id, agent_config, status, version, updated_at }: AgentListItem) => ({
  agent_id,
  agent_name: agent_config.agent_name,
  agent_type: agent_config.agent_type,
  status,
  version,
  updated_at,
})

const read = <Data>({ json }: Verbatim): Data => JSON.parse(json) as Data

async function jsonIn(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (cause) {
    const message = `${file} cannot be read as JSON.`
    return fail('VALIDATION_ERROR', { cause, details: [{ path: '--put', message }] })
  }
}

/** A printed graph can be put back: the fields that only reading returns are left out. */
function writable(printed: unknown): never {
  if (typeof printed !== 'object' || printed === null) return printed as never
  const { agent_id, version, faults, updated_at, warnings, ...graph } = printed as Record<string, unknown>
  return graph as never
}
