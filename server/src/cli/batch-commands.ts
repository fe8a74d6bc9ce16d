// `parley batch …`: manages the batches of a workspace, with the same validation as the API.
import { basename } from 'node:path'
import { BatchStatus, Id, RecipientStatus } from '@parley/contract'
import type { Command } from 'commander'
import type { Upload } from '../http/body/upload.ts'
import { committed, type Work } from '../http/work.ts'
import { ownCarriers } from '../main/open-carriers.ts'
import type { Infrastructure } from '../platform/infrastructure.ts'
import { agents } from '../resources/agents/agents.ts'
import {
  type BatchCommand,
  type Batches,
  batches,
  LiveBatches,
  resultLines,
} from '../resources/batches/batches.ts'
import { outbound } from '../resources/phone-numbers/phone-numbers.ts'
import { streamGiven } from './given-path.ts'
import type { Shell, Terminal } from './shell.ts'
import { type InWorkspace, inWorkspace } from './workspace-option.ts'

interface CreateOptions extends InWorkspace {
  name?: string
  at?: string
  from?: string
  concurrency?: string
}

const page = { page: 1, limit: 100 }
const never = new AbortController().signal

export default function addBatchCommands(
  batch: Command,
  { terminal, withInfrastructure, checked }: Shell,
): void {
  const id = (text: string) => checked(Id, text)
  const command = (name: string) => inWorkspace(batch.command(name), 'whose batches')
  const about = (name: string) => command(name).argument('<batch-id>', 'as create and list say it', id)

  command('list')
    .option('--status <status>', 'only those in this state')
    .action(({ workspace, status }: InWorkspace & { status?: string }) =>
      withInfrastructure(async (infrastructure) => {
        const wanted = status === undefined ? undefined : checked(BatchStatus, status as never)
        return (await listsOf(infrastructure).list(workspace, { status: wanted }, page)).data
      }),
    )
  command('create')
    .description(
      'stores the recipients of a CSV file; nobody is called before `execute`, or the time of --at',
    )
    .argument('<agent-id>')
    .argument('<file>', 'CSV with a header; to_phone_number is required, other columns become variables')
    .option('--name <name>', 'otherwise the name of the file')
    .option('--at <time>', 'RFC 3339 with an offset')
    .option('--from <number>', 'the number to call from')
    .option('--concurrency <calls>', 'at a time')
    .action((agentId: string, file: string, { workspace, name, at, from, concurrency }: CreateOptions) =>
      withInfrastructure(async (infrastructure) => {
        const settings = {
          name: name ?? basename(file),
          agent_id: agentId,
          ...(at && { schedule_time: at }),
          ...(from && { from_phone_number: from }),
          ...(concurrency && { max_concurrency: concurrency }),
        }
        const upload = formOf(settings, file)
        const batch = await write(infrastructure, (lists, work) => lists.create(workspace, upload, work))
        const { sandbox_count } = await listsOf(infrastructure).get(workspace, batch.batch_id)
        return { ...batch, sandbox_count }
      }),
    )
  about('show').action((batchId: string, { workspace }: InWorkspace) =>
    withInfrastructure((infrastructure) => listsOf(infrastructure).get(workspace, batchId)),
  )
  about('recipients')
    .option('--status <status>', 'only those in this state')
    .action((batchId: string, { workspace, status }: InWorkspace & { status?: string }) =>
      withInfrastructure(async (infrastructure) => {
        const wanted = status === undefined ? undefined : checked(RecipientStatus, status as never)
        return (await listsOf(infrastructure).recipients(workspace, batchId, wanted, page)).data
      }),
    )
  for (const name of ['execute', 'pause', 'resume', 'cancel'] as const satisfies BatchCommand[]) {
    about(name).action((batchId: string, { workspace }: InWorkspace) =>
      withInfrastructure((infrastructure) =>
        write(infrastructure, (lists, work) => lists.command(workspace, batchId, name, work)),
      ),
    )
  }
  about('delete').action((batchId: string, { workspace }: InWorkspace) =>
    withInfrastructure((infrastructure) => listsOf(infrastructure).remove(workspace, batchId)),
  )
  about('watch')
    .description('prints how far a batch is, a line for every change, until it is over')
    .action((batchId: string, { workspace }: InWorkspace) =>
      withInfrastructure((infrastructure) => watch(infrastructure, workspace, batchId, terminal)),
    )
  about('results')
    .description('prints a line of CSV for every recipient, and nothing else')
    .action((batchId: string, { workspace }: InWorkspace) =>
      withInfrastructure(async (infrastructure) => {
        await listsOf(infrastructure).mustExist(workspace, batchId)
        for await (const lines of resultLines(infrastructure.db)(batchId)(never)) terminal.stdout.write(lines)
      }),
    )
}

const listsOf = ({ db, vault, config }: Infrastructure): Batches =>
  batches(
    db,
    agents(db, vault),
    outbound({ db, vault, chooseCarrier: ownCarriers(config).choose, onRefused() {} }),
  )

const write = <Answer>(
  infrastructure: Infrastructure,
  act: (lists: Batches, work: Work) => Promise<Answer>,
) => committed(infrastructure.db, (work) => act(listsOf(infrastructure), work))

const boundary = 'parley-batch'

/** The file as a multipart form, as the API receives it. */
function formOf(fields: Readonly<Record<string, string>>, path: string): Upload {
  const part = (name: string, more = '') =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`
  async function* bytes(): AsyncGenerator<Buffer> {
    for (const [name, value] of Object.entries(fields)) yield Buffer.from(`${part(name)}${value}\r\n`)
    yield Buffer.from(part('file', '; filename="recipients.csv"'))
    yield* streamGiven(path)
    yield Buffer.from(`\r\n--${boundary}--\r\n`)
  }
  return { contentType: `multipart/form-data; boundary=${boundary}`, bytes: bytes() }
}

async function watch(
  infrastructure: Infrastructure,
  workspaceId: string,
  batchId: string,
  { stdout }: Terminal,
): Promise<unknown> {
  await listsOf(infrastructure).mustExist(workspaceId, batchId)
  for await (const progress of new LiveBatches(infrastructure.db).watch(batchId, never)) {
    if (!progress) continue
    const counts = Object.entries(progress.counts).filter(([, recipients]) => recipients > 0)
    const why = progress.status_reason === null ? '' : `  ${progress.status_reason}`
    stdout.write(
      `${progress.status.padEnd(12)} ${counts.map(([state, many]) => `${state} ${many}`).join(', ')}${why}\n`,
    )
  }
  return listsOf(infrastructure).get(workspaceId, batchId)
}
