// The command line, on a database that a service may use at the same time.
import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runParley } from '../../src/cli/parley.ts'
import type { Terminal } from '../../src/cli/shell.ts'
import { openService, type TestService, workspaceId } from '../support/service.ts'

const command = fileURLToPath(new URL('../../bin/parley.mjs', import.meta.url))

let service: TestService
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

interface Ran {
  code: number
  out: string
  err: string
}

const env = () => ({
  PATH: process.env.PATH,
  DATABASE_URL: service.database.url,
  PARLEY_SECRET: 'a secret for tests only',
})

/** As the program does it, but in this process: starting one takes longer than most commands. */
async function parley(...args: string[]): Promise<Ran> {
  let [out, err] = ['', '']
  const terminal: Terminal = {
    env: env(),
    stdin: process.stdin,
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
  }
  await runParley(args, terminal)
  return { code: Number(terminal.exitCode ?? 0), out, err }
}

/** The program itself. */
const program = (...args: string[]): Promise<Ran> =>
  new Promise((resolve) =>
    execFile(process.execPath, [command, ...args], { env: env() }, (error, out, err) => {
      resolve({ code: error ? Number(error.code) : 0, out, err })
    }),
  )

const json = async (...args: string[]) => JSON.parse((await parley('--json', ...args)).out)

it('is a program that prints its result, or what is wrong and fails', async () => {
  const [made, refused, help] = await Promise.all([
    program('--json', 'workspace', 'create', 'Of a program'),
    program('key', 'create', 'x', '--workspace', '7'),
    program('--help'),
  ])
  expect([made.code, made.err, JSON.parse(made.out).name]).toEqual([0, '', 'Of a program'])
  expect([refused.code, refused.out]).toEqual([1, ''])
  expect(refused.err).toContain('There is no one workspace "7".')
  expect([help.code, help.out]).toEqual([0, expect.stringMatching(/^ {2}listen .*verifies/ms)])
})

it('says which commands a group has', async () => {
  const asked = [await parley('key', '--help'), await parley('help', 'key'), await parley('key')]
  expect(asked.map(({ code }) => code)).toEqual([0, 0, 1])
  for (const { out, err } of asked) expect(out + err).toMatch(/^ {2}create \[options\] <label>/m)
  const { code, err } = await parley('keys', 'list')
  expect([code, err]).toEqual([1, "error: unknown command 'keys'\n(Did you mean key?)\n"])
})

it('creates a key that works at once, and revokes it at once', async () => {
  const made = await json('key', 'create', 'from the shell', '--workspace', workspaceId)
  const list = () => service.bare('GET', '/agent/v1/agents', { headers: { 'x-api-key': made.key } })
  expect((await list()).status).toBe(200)
  expect((await json('key', 'revoke', made.api_key_id)).active).toBe(false)
  await expect.poll(async () => (await list()).body.code).toBe('API_KEY_INACTIVE')
  expect((await json('key', 'activate', made.api_key_id)).active).toBe(true)
  expect((await json('key', 'label', made.api_key_id, 'renamed')).label).toBe('renamed')
})

it('prints what it created, one line per field', async () => {
  const made = [
    await parley('key', 'create', 'for people', '--workspace', workspaceId),
    await parley('workspace', 'create', 'For people'),
    await parley('user', 'create', 'people@example.com', '--owner'),
  ]
  for (const { code, err } of made) expect({ code, err }).toEqual({ code: 0, err: '' })
  const [key, workspace, user] = made.map(({ out }) => out)
  expect(key).toMatch(/^key +svc_\w{40}$/m)
  expect(workspace).toMatch(/^workspace_id +[0-9a-f-]{36}$/m)
  expect(user).toMatch(/^password +\S{12,}$/m)
})

it('creates an unbound key with access to workspaces that it created', async () => {
  const { workspace_id } = await json('workspace', 'create', 'Second')
  expect((await json('workspace', 'rename', workspace_id, 'Zweite')).name).toBe('Zweite')
  const made = await json('key', 'create', 'wide', '--access', workspaceId, workspace_id)
  expect(made).toMatchObject({
    workspace_id: null,
    access: expect.arrayContaining([workspaceId, workspace_id]),
  })
})

it('deletes a workspace, and shows how far that is', async () => {
  const { workspace_id } = await json('workspace', 'create', 'Doomed')
  await json('workspace', 'delete', workspace_id, 'Doomed')
  const deletion = async () =>
    (await json('workspace', 'deletions')).find((one: { name: string }) => one.name === 'Doomed')
  await expect.poll(async () => (await deletion()).status).toBe('completed')
  expect(await deletion()).toMatchObject({
    workspace_id,
    requested_by: 'the command line',
    progress: 1,
    error: null,
    removed: { calls: 0, recordings: 0, files: 0, archived: 0 },
  })
})

it('creates a user with a password, changes it, and removes the user', async () => {
  const { password } = await json('user', 'create', 'shell@example.com', '--owner')
  const signIn = (given: string) =>
    service.bare('POST', '/dashboard/api/session', { body: { email: 'shell@example.com', password: given } })
  expect((await signIn(password)).status).toBe(201)
  await json('user', 'password', 'shell@example.com', '--password', 'another long one')
  expect((await signIn('another long one')).status).toBe(201)
  expect((await json('user', 'remove', 'shell@example.com')).deleted).toBe(true)
  expect((await signIn('another long one')).status).toBe(401)
})

it('invites somebody, and gives a user a link for a new password', async () => {
  const rights = ['--role', 'viewer', '--workspace', workspaceId]
  const { link } = await json('user', 'invite', 'invited@example.com', ...rights)
  const early = await parley('user', 'password', 'Invited@example.com')
  expect([early.code, early.err]).toEqual([
    1,
    expect.stringMatching(/^Invited@example.com was invited and has not accepted yet. .*parley user invite/),
  ])
  const body = { token: new URL(link).hash.slice(1), name: 'Ada', password: 'a long enough password' }
  const accepted = await service.bare('POST', '/dashboard/api/invitation/accept', { body })
  expect(accepted.body.data.user).toMatchObject({ name: 'Ada', workspaces: [{ role: 'viewer' }] })
  expect((await json('user', 'password', 'invited@example.com')).link).toContain('/dashboard/invitation#')
  const { err } = await parley('user', 'invite', 'nowhere@example.com')
  expect(err).toContain('There are several workspaces. Say which with --workspace:')
})

it('needs no workspace while there is only one, and takes its name instead of its id', async () => {
  const ids = (await json('workspace', 'list')).map(
    ({ workspace_id }: { workspace_id: string }) => workspace_id,
  )
  await service.database.query('UPDATE workspaces SET closed_at = now() WHERE workspace_id <> $1', [
    workspaceId,
  ])
  for (const command of ['call', 'agents', 'pronunciations'])
    expect((await parley(command, 'list')).code, command).toBe(0)
  expect((await parley('batch', 'list', '--workspace', 'default')).code).toBe(0)
  expect((await json('key', 'create', 'of the only one')).workspace_id).toBe(workspaceId)
  expect((await parley('user', 'invite', 'only@example.com')).code).toBe(0)
  expect((await parley('workspace', 'limits', '--per-day', 'none')).code).toBe(0)
  await service.database.query('UPDATE workspaces SET closed_at = NULL')
  const { code, err } = await parley('call', 'list')
  expect(code).toBe(1)
  expect(err).toContain('There are several workspaces. Say which with --workspace:')
  for (const id of ids) expect(err).toContain(id)
})

it('lists in columns', async () => {
  const { out } = await parley('key', 'list')
  expect(out.split('\n')[0]).toMatch(/^api_key_id +label +prefix/)
  expect(out).toContain('First bound key')
})

it.each([
  [
    ['key', 'create', 'x', '--workspace', 'a', '--access', 'b'],
    'Give either --workspace (a key of one workspace) or --access (of several).',
  ],
  [['key', 'create', 'x'], 'There are several workspaces. Say which with --workspace:'],
  [['workspace', 'limits'], 'There are several workspaces. Say which after `limits`:'],
  [['key', 'create', 'x', '--workspace', '7'], 'There is no one workspace "7".'],
  [['key', 'revoke', '99999999-9999-4999-8999-999999999999'], 'There is no API key with this id.'],
  [['user', 'create', 'nonsense'], 'email: Must be an e-mail address.'],
  [
    ['user', 'create', 'x@example.com', '--password', 'short'],
    'password: Must be at least 12 characters long.',
  ],
  [['user', 'remove', 'nobody@example.com'], 'There is no user with the address nobody@example.com.'],
  [
    ['backup', '/no/such/folder/x.tar.gz'],
    'There is no folder /no/such/folder. Make it first, or name another.',
  ],
  [['restore', '/nothere.tar.gz'], '/nothere.tar.gz does not exist.'],
  [['user', 'password', 'nobody@example.com'], 'There is no user with the address nobody@example.com.'],
])('says what is wrong with %j', async (args, sentence) => {
  const { code, err } = await parley(...args)
  expect(err).toContain(sentence)
  expect(code).toBe(1)
})

it('places, lists, shows, watches and stops calls', async () => {
  const body = { agent_config: { agent_name: 'Ada', llm_agent: {} } }
  const { agent_id } = (await service.ask('POST', '/agents', { body })).body.data
  const here = ['--workspace', workspaceId]
  const placed = await json('call', 'place', agent_id, '+15550100', '--from', '+15550142', ...here)
  const { session_id } = placed
  expect(placed).toMatchObject({ call_status: 'queued', provider: 'sandbox', sandbox: true })
  expect(placed.from_phone_number).toBe('+15550142')
  expect((await json('call', 'list', '--status', 'queued', ...here))[0]).toMatchObject({
    session_id,
    sandbox: true,
  })
  expect((await json('call', 'stop', session_id, ...here)).call_status).toBe('canceled')
  expect((await json('call', 'show', session_id, ...here)).hangup_reason).toBe('api_stopped')
  const { out } = await parley('call', 'watch', session_id, ...here)
  expect(out).toMatch(/status .*queued.*\n.*ended .*canceled/)
  const refused = await parley('call', 'place', agent_id, '15550100', ...here)
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('to_phone_number')])
  const stranger = await parley('call', 'place', agent_id, '+14155552671', ...here)
  expect([stranger.code, stranger.err]).toEqual([1, expect.stringContaining('PARLEY_SANDBOX=all')])
})

it('creates a batch from a file, starts it and shows its results', async () => {
  const made = await service.ask('POST', '/agents', {
    body: { agent_config: { agent_name: 'Ada', llm_agent: {} } },
  })
  const file = join(service.dataDir, 'list.csv')
  await writeFile(file, 'to_phone_number,recipient_id,city\n+15550100,a,Paris\n+15550101,b,\n')
  const here = ['--workspace', workspaceId]
  const batch = await json('batch', 'create', made.body.data.agent_id, file, '--concurrency', '2', ...here)
  expect(batch).toMatchObject({ name: 'list.csv', status: 'created', recipient_count: 2, sandbox_count: 2 })
  expect((await json('batch', 'execute', batch.batch_id, ...here)).status).toBe('success')
  expect((await json('batch', 'cancel', batch.batch_id, ...here)).status).toBe('success')
  expect(await json('batch', 'show', batch.batch_id, ...here)).toMatchObject({
    status: 'cancelled',
    max_concurrency: 2,
  })
  expect((await json('batch', 'recipients', batch.batch_id, ...here)).length).toBe(2)
  expect((await parley('batch', 'recipients', batch.batch_id, ...here)).out).toMatch(/\bcity=Paris\b/)
  const { out, code } = await parley('batch', 'results', batch.batch_id, ...here)
  expect([code, out.split('\r\n')[1]]).toEqual([0, expect.stringMatching(/^1,a,\+15550100,/)])
  const refused = await parley('batch', 'pause', batch.batch_id, ...here)
  expect(refused.err).toContain('cancelled')
  expect((await json('batch', 'delete', batch.batch_id, ...here)).deleted).toBe(true)
})

it('sets what a workspace may call', async () => {
  const made = await json('workspace', 'create', 'Limited')
  const id = made.workspace_id
  const given = ['--allow', 'de', '+8816', '--per-minute', '5', '--per-day', '100', '--at-a-time', '2']
  expect(await json('workspace', 'limits', id, ...given)).toMatchObject({
    allowed_destinations: ['DE', '+8816'],
    calls_per_minute: 5,
    calls_per_day: 100,
    max_concurrency: 2,
  })
  expect(await json('workspace', 'limits', id, '--allow', 'own', '--per-day', 'none')).toMatchObject({
    allowed_destinations: null,
    calls_per_minute: 5,
    calls_per_day: null,
    max_concurrency: 2,
  })
  expect((await parley('workspace', 'limits', id, '--allow', 'UK')).err).toContain(
    'UK is not a country. Write GB.',
  )
})

it('adds public prices to those of a workspace, which stay', async () => {
  const { workspace_id } = await json('workspace', 'create', 'Priced')
  const prices = async () =>
    (await json('workspace', 'list')).find((one: { name: string }) => one.name === 'Priced').prices
  const file = join(service.dataDir, 'prices.json')
  const own = { part: 'transcriber', name: 'deepgram', per_minute: 7 }
  await writeFile(file, JSON.stringify({ currency: 'EUR', rows: [own] }))
  await json('workspace', 'prices', workspace_id, file)
  const added = await json('workspace', 'prices', 'priced', 'public')
  expect(added).toMatchObject({
    workspace_id,
    currency: 'EUR',
    kept: 1,
    note: expect.stringContaining('USD'),
  })
  expect(added.added).toContain('synthesizer deepgram')
  expect(added.added).not.toContain('transcriber deepgram')
  const { currency, rows } = await prices()
  expect([currency, rows[0], rows.length]).toEqual(['EUR', own, 1 + added.added.length])
  await json('workspace', 'prices', workspace_id, 'none')
  const begun = await json('workspace', 'prices', workspace_id, 'public')
  expect([begun.currency, begun.kept, begun.note]).toEqual(['USD', 0, undefined])
})

it('finds a workspace by its name wherever one is given', async () => {
  await json('workspace', 'create', 'Temp')
  const { workspace_id } = await json('workspace', 'rename', 'Temp', 'Temporary')
  const { access } = await json('key', 'create', 'by names', '--access', 'temporary', workspaceId)
  expect(access).toEqual(expect.arrayContaining([workspaceId, workspace_id]))
  const wrong = await parley('workspace', 'delete', 'temporary', 'Temp')
  expect([wrong.code, wrong.err]).toEqual([1, 'name: This is not the name of the workspace.\n'])
  expect(await json('workspace', 'delete', 'temporary', 'Temporary')).toMatchObject({ workspace_id })
  const { code, err } = await parley('workspace', 'rename', 'Temporary', 'Other')
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/^There is no one workspace "Temporary"\. Give one of these:\n/),
  ])
})

it('stores, checks and removes a number', async () => {
  const path = join(service.dataDir, 'trunk-password')
  await writeFile(path, 'a password that nobody may see\n')
  const ofWorkspace = ['--workspace', workspaceId]
  const trunk = ['--host', 'trunk.example', '--username', 'ada', '--password-file', path, '--register']
  const added = await json('numbers', 'add', '+4930901820', ...ofWorkspace, ...trunk, '--header', 'X-A=b=c')
  expect(added).toMatchObject({
    phone_number: '+4930901820',
    host: 'trunk.example',
    username: 'ada',
    register: true,
  })
  const stored = await service.ask('GET', `/phone-numbers/${added.phone_number_id}`)
  expect(stored.body.data.credentials).toMatchObject({ password: 'a p… see', headers: { 'X-A': '…' } })
  const check = await parley('trunk', 'check', '+4930901820', ...ofWorkspace)
  expect(check.code).toBe(1)
  expect(check.out).toContain('PARLEY_SIP_PORT')
  const doctor = await parley('doctor', 'trunk', added.phone_number_id, ...ofWorkspace)
  expect(doctor.code).toBe(1)
  expect(doctor.out).toMatch(/agent +false +No agent takes its calls. Set inbound_agent_id./)

  expect(await json('numbers', 'remove', '+4930901820', ...ofWorkspace)).toMatchObject({ deleted: true })
})

it('prints the graph of an agent, puts it back from a file, lists its versions and restores one', async () => {
  const ofWorkspace = ['--workspace', workspaceId]
  const nodes = [{ id: 'greet', prompt: 'Ask.' }]
  const agent_config = { agent_name: 'Graph', agent_type: 'graph_agent', llm_agent: { nodes } }
  const { agent_id } = (await service.ask('POST', '/agents', { body: { agent_config } })).body.data
  const printed = JSON.parse((await parley('agents', 'graph', agent_id, ...ofWorkspace)).out)
  expect(printed).toMatchObject({ nodes, version: 1 })
  const file = join(service.dataDir, 'graph.json')
  await writeFile(file, JSON.stringify({ ...printed, nodes: [...nodes, { id: 'bye' }] }))
  const put = await json('agents', 'graph', agent_id, '--put', file, ...ofWorkspace)
  expect(put).toEqual({ agent_id, version: 2, nodes: 2 })
  expect(await json('agents', 'restore', agent_id, '1', ...ofWorkspace)).toMatchObject({ version: 3 })
  expect(await json('agents', 'versions', agent_id, ...ofWorkspace)).toMatchObject([
    { version: 3, author: 'operator', restored_from: 1, changed: 'llm_agent.nodes.bye' },
    { version: 2, author: 'operator', changed: 'llm_agent.nodes.bye' },
    { version: 1, author: 'First bound key', changed: null },
  ])
  await writeFile(file, '{"nodes":[{}]}')
  const wrong = await parley('agents', 'graph', agent_id, '--put', file, ...ofWorkspace)
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('nodes.0.id')])
})

it('lists tools and tries one', async () => {
  const tool = { type: 'built_in', name: 'end_call' }
  const { tool_id } = (await service.ask('POST', '/tools', { body: tool })).body.data
  const listed = await json('tools', 'list', '--workspace', workspaceId)
  expect(listed).toMatchObject([{ tool_id, ...tool, url: null }])
  const tried = await parley('--json', 'tools', 'try', 'end_call', '--workspace', workspaceId)
  expect([tried.code, JSON.parse(tried.out)]).toMatchObject([1, { ok: false, request: null }])
  const wrong = await parley('tools', 'try', tool_id, '--workspace', workspaceId, '--arguments', 'x')
  expect([wrong.code, wrong.err]).toEqual([1, '--arguments: Must be JSON.\n'])
})

it('makes a repository, adds a folder and an address to it, asks it and deletes a document', async () => {
  const { repository_id } = await json('knowledge', 'create', 'Handbook', '--workspace', workspaceId)
  const folder = join(service.dataDir, 'handbook')
  await mkdir(folder)
  await writeFile(join(folder, 'oil.md'), '# Oil\n\nThe cellar holds whale oil.')
  await writeFile(join(folder, 'noise.bin'), Buffer.from([0, 1, 2, 3]))
  const added: { file: string; status?: string; error?: string }[] = await json(
    'knowledge',
    'add',
    repository_id,
    folder,
    '--workspace',
    workspaceId,
  )
  expect(added.map(({ file, error }) => [file.split('/').at(-1), !error])).toEqual(
    expect.arrayContaining([
      ['oil.md', true],
      ['noise.bin', false],
    ]),
  )
  expect(await json('knowledge', 'list', '--workspace', workspaceId)).toMatchObject([
    { repository_id, name: 'Handbook' },
  ])
})

it('adds a folder whatever the way to it is, without the hidden files in it', async () => {
  const { repository_id } = await json('knowledge', 'create', 'Hidden', '--workspace', workspaceId)
  const folder = join(service.dataDir, '.hidden', 'pages')
  await mkdir(join(folder, '.git'), { recursive: true })
  await writeFile(join(folder, 'oil.md'), 'The cellar holds whale oil.')
  await writeFile(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main')
  await writeFile(join(folder, '.draft.md'), 'Nobody may read this.')
  for (const path of [folder, relative(process.cwd(), folder)])
    expect(await json('knowledge', 'add', repository_id, path, '--workspace', workspaceId)).toMatchObject([
      { file: join(path, 'oil.md'), title: 'oil.md' },
    ])
  await rm(join(folder, 'oil.md'))
  const nothing = await parley('knowledge', 'add', repository_id, folder, '--workspace', workspaceId)
  expect([nothing.code, nothing.err]).toEqual([
    1,
    `Nothing was added: ${folder} has no files, other than hidden ones.\n`,
  ])
})

it.each([
  ['knowledge', 'add', workspaceId],
  ['workspace', 'prices', workspaceId],
  ['batch', 'create', workspaceId],
  ['numbers', 'add', '+4930901821', '--host', 'trunk.example', '--username', 'ada', '--password-file'],
])('says that a file given to %s %s does not exist', async (group, name, ...before) => {
  const ofWorkspace = group === 'workspace' ? [] : ['--workspace', workspaceId]
  const { code, err } = await parley(group, name, ...ofWorkspace, ...before, '/nothere')
  expect([code, err]).toEqual([1, '/nothere does not exist.\n'])
})

it('prints usage as rows and as CSV, and refuses a day that is none', async () => {
  const rows = await json('usage', '--workspace', workspaceId, '--by', 'agent')
  expect(Array.isArray(rows)).toBe(true)
  const { code, out } = await parley('usage', '--workspace', workspaceId, '--csv')
  expect([code, out.split(/\r?\n/)[0]]).toEqual([0, expect.stringMatching(/^day,.*calls/)])
  const wrong = await parley('usage', '--workspace', workspaceId, '--from', 'yesterday')
  expect([wrong.code === 0, wrong.err]).toEqual([false, expect.stringContaining('from')])
})
