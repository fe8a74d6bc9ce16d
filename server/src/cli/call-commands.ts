// `parley call …`: manages the calls of a workspace, with the same validation as the API.
import { Id, listCalls, placeCall } from '@parley/contract'
import type { Command } from 'commander'
import { committed, type Work } from '../http/work.ts'
import { ownCarriers } from '../main/open-carriers.ts'
import type { Infrastructure } from '../platform/infrastructure.ts'
import { agents } from '../resources/agents/agents.ts'
import { type CallOperations, callOperations, LiveCalls } from '../resources/calls/calls.ts'
import { openRecordingArchive } from '../resources/calls/work.ts'
import { outbound } from '../resources/phone-numbers/phone-numbers.ts'
import type { Shell, Terminal } from './shell.ts'
import { type InWorkspace, inWorkspace } from './workspace-option.ts'

interface PlaceOptions extends InWorkspace {
  from?: string
  at?: string
}

export default function addCallCommands(
  call: Command,
  { terminal, withInfrastructure, checked }: Shell,
): void {
  const id = (text: string) => checked(Id, text)
  const command = (name: string) => inWorkspace(call.command(name), 'whose calls')

  command('list')
    .option('--status <status>', 'only those in this state')
    .option('--search <text>', 'a number or a part of it, an id, or words that were said')
    .action(({ workspace, status, search }: InWorkspace & { status?: string; search?: string }) =>
      withInfrastructure(async (infrastructure) => {
        const asked = checked(listCalls.query, {
          ...(status && { call_status: status as never }),
          ...(search && { search }),
        })
        const filter = { status: asked.call_status, search: asked.search }
        const page = { page: 1, limit: 100 }
        return (await (await callsOf(infrastructure)).list(workspace, filter, page, page.limit)).data
      }),
    )
  command('place')
    .argument('<agent-id>')
    .argument('<number>', 'E.164, or a sip: address')
    .option('--from <number>', 'the number to call from')
    .option('--at <time>', 'RFC 3339 with an offset; otherwise now')
    .action((agent_id: string, to_phone_number: string, { workspace, from, at }: PlaceOptions) =>
      withInfrastructure(async (infrastructure) => {
        const wish = checked(placeCall.body, {
          agent_id,
          to_phone_number,
          ...(from && { from_phone_number: from }),
          ...(at && { schedule_time: at }),
        })
        const placed = await write(infrastructure, (calls, work) => calls.place(workspace, wish, work))
        const { provider, sandbox } = await (await callsOf(infrastructure)).get(workspace, placed.session_id)
        return { ...placed, provider, sandbox }
      }),
    )
  command('show')
    .argument('<session-id>', 'as place and list say it', id)
    .action((sessionId: string, { workspace }: InWorkspace) =>
      withInfrastructure(async (infrastructure) => (await callsOf(infrastructure)).get(workspace, sessionId)),
    )
  command('stop')
    .argument('<session-id>', 'as place and list say it', id)
    .action((sessionId: string, { workspace }: InWorkspace) =>
      withInfrastructure((infrastructure) =>
        write(infrastructure, (calls, work) => calls.stop(workspace, sessionId, work)),
      ),
    )
  command('watch')
    .description('prints what is told of a call, a line each, until it has ended')
    .argument('<session-id>', 'as place and list say it', id)
    .action((sessionId: string, { workspace }: InWorkspace) =>
      withInfrastructure((infrastructure) => watch(infrastructure, workspace, sessionId, terminal)),
    )
}

export async function callsOf(infrastructure: Infrastructure): Promise<CallOperations> {
  const { recordings } = await openRecordingArchive(infrastructure)
  const { db, vault, config } = infrastructure
  return callOperations({
    // It does not run the call itself.
    isOverloaded: () => false,
    db,
    agents: agents(db, vault),
    eventDelaySeconds: config.callEventDelaySeconds,
    joinSeconds: config.joinSeconds,
    linkTo: recordings.link,
    outbound: outbound({ db, vault, chooseCarrier: ownCarriers(config).choose, onRefused() {} }),
  })
}

async function write<Answer>(
  infrastructure: Infrastructure,
  act: (calls: CallOperations, work: Work) => Promise<Answer>,
) {
  const calls = await callsOf(infrastructure)
  return committed(infrastructure.db, (work) => act(calls, work))
}

async function watch(
  infrastructure: Infrastructure,
  workspaceId: string,
  sessionId: string,
  { stdout }: Terminal,
): Promise<unknown> {
  const calls = await callsOf(infrastructure)
  await calls.mustExist(workspaceId, sessionId)
  const live = await new LiveCalls(infrastructure.db).open()
  for await (const event of live.watch(sessionId.toLowerCase(), 0, new AbortController().signal)) {
    if (event) stdout.write(`${event.at.toISOString()}  ${event.type.padEnd(10)}  ${event.data}\n`)
  }
  await live.close()
  return calls.get(workspaceId, sessionId)
}
