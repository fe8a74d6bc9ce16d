// Telephone numbers: what is stored, what is refused, and that secrets cannot be read back.
import { randomUUID } from 'node:crypto'
import { StoredPhoneNumber } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDb } from '../../src/platform/db/db.ts'
import { openVault } from '../../src/platform/secrets.ts'
import type { Trunk } from '../../src/ports/trunk.ts'
import { answerTrunkChecks, openTrunks } from '../../src/resources/phone-numbers/work.ts'
import { newAgent, placeCall } from '../support/call-fixture.ts'
import { openService, type TestService, unboundKey } from '../support/service.ts'

const password = 'a very long password of a trunk'
const trunk = { host: 'trunk.example', username: 'ada', password }
const stranger = '99999999-9999-4999-8999-999999999999'

let service: TestService
let agentId: string
beforeAll(async () => {
  service = await openService({ PARLEY_TRUSTED_HOSTS: '10.1.2.3' })
  agentId = await newAgent(service)
})
afterAll(() => service?.close())

let last = 4930901000
const unused = () => `+${++last}`

const create = (body: object) => service.ask('POST', '/phone-numbers', { body })
const sip = (more: object = {}, credentials: object = trunk) => ({
  phone_number: unused(),
  provider: 'sip',
  credentials,
  ...more,
})

async function made(more: object = {}, credentials: object = trunk): Promise<StoredPhoneNumber> {
  const reply = await create(sip(more, credentials))
  expect(reply.status, reply.text).toBe(201)
  return reply.body.data
}

const get = async (id: string) => (await service.ask('GET', `/phone-numbers/${id}`)).body.data
const patch = (id: string, body: object) => service.ask('PATCH', `/phone-numbers/${id}`, { body })
const remove = (id: string) => service.ask('DELETE', `/phone-numbers/${id}`)

describe('a number with a SIP trunk', () => {
  it('is stored with every default, and its password is shown by its ends', async () => {
    const number = await made()
    expect(StoredPhoneNumber.parse(number)).toMatchObject({
      provider: 'sip',
      label: null,
      inbound_agent_id: null,
      outbound_agent_id: null,
      status: 'active',
      max_concurrency: null,
      credentials: {
        host: 'trunk.example',
        port: null,
        transport: 'udp',
        username: 'ada',
        password: 'a v…runk',
        register: false,
        inbound_allow: [],
        codecs: ['opus', 'G722', 'PCMU', 'PCMA'],
        headers: {},
        srtp: 'off',
        symmetric_rtp: true,
        from_user: null,
        number_format: 'e164',
        prefixes: [],
        inbound_users: [],
        full_status: 503,
        unanswered_status: 480,
        identity_header: 'P-Asserted-Identity',
        caller_verification: 'off',
      },
      registration: null,
    })
    expect(await get(number.phone_number_id)).toEqual(number)
  })

  it('keeps what was given', async () => {
    const given = {
      host: '2001:4860:4860::8888',
      port: 5080,
      transport: 'tls',
      username: 'u',
      password,
      register: true,
      inbound_allow: ['203.0.113.0/24', '2001:db8::/32', '198.51.100.7'],
      codecs: ['PCMA', 'opus'],
      headers: { 'X-Account': 'seventeen and more', Privacy: 'id' },
      srtp: 'required',
      symmetric_rtp: false,
      from_user: 'acct',
      identity_header: 'P-Preferred-Identity',
      caller_verification: 'refuse_failed',
      number_format: 'national',
      prefixes: ['+44'],
    }
    const more = {
      label: 'Front desk',
      inbound_agent_id: agentId,
      outbound_agent_id: agentId,
      max_concurrency: 7,
    }
    const number = await made({ ...more, status: 'inactive' }, { ...given, host: '[2001:4860:4860::8888]' })
    expect(number).toMatchObject({
      ...more,
      status: 'inactive',
      credentials: { ...given, password: 'a v…runk', headers: { 'X-Account': 'sev…more', Privacy: '…' } },
    })
  })

  it('may be in a private network that the operator trusts', async () => {
    expect(await made({}, { host: '10.1.2.3' })).toMatchObject({
      credentials: { username: null, password: null },
    })
  })

  it('takes codecs in any case', async () => {
    expect((await made({}, { ...trunk, codecs: ['pcma', 'OPUS'] })).credentials?.codecs).toEqual([
      'PCMA',
      'opus',
    ])
  })
})

describe('a number with telephones that log in', () => {
  const users = [
    { username: 'anna', password: 'a long password of anna' },
    { username: 'ben', password: 'short' },
  ]

  it('needs no trunk, and shows their passwords by their ends', async () => {
    const number = await made({}, { inbound_users: users, full_status: 486, unanswered_status: 603 })
    expect(number.credentials).toMatchObject({
      host: null,
      full_status: 486,
      unanswered_status: 603,
      inbound_users: [
        { username: 'anna', password: 'a l…anna' },
        { username: 'ben', password: '…' },
      ],
    })
    expect(JSON.stringify(await service.database.query('SELECT * FROM phone_numbers'))).not.toContain(
      'of anna',
    )
    // What was shown stands for what is stored; who is left out may not log in any more.
    const shown = number.credentials?.inbound_users ?? []
    const { body } = await patch(number.phone_number_id, {
      credentials: { inbound_users: shown.slice(0, 1) },
    })
    expect(body.data.credentials.inbound_users).toEqual(shown.slice(0, 1))
    const [row] = await service.database.query<{ inbound_users: string[] }>(
      'SELECT inbound_users FROM phone_numbers WHERE phone_number_id = $1',
      [number.phone_number_id],
    )
    expect(row?.inbound_users).toEqual(['anna'])
  })

  it('calls them, and nobody else', async () => {
    const number = await made({}, { inbound_users: [{ username: 'clara', password: 'secret of clara' }] })
    const call = (to: string) =>
      service.ask('POST', '/calls', {
        body: { agent_id: agentId, to_phone_number: to, phone_number_id: number.phone_number_id },
      })
    expect((await call('sip:clara@192.168.1.5')).status).toBe(201)
    const elsewhere = await call('+4930123456')
    expect([elsewhere.status, elsewhere.body.code]).toEqual([400, 'NO_LINE_TO_NUMBER'])
    expect(elsewhere.body.message).toContain('sip:clara@parley')
    expect((await call('sip:doris@192.168.1.5')).body.code).toBe('NO_LINE_TO_NUMBER')
  })
})

it('a number of the sandbox has no trunk', async () => {
  const reply = await create({ phone_number: unused(), provider: 'sandbox' })
  expect(reply.body.data).toMatchObject({ provider: 'sandbox', credentials: null })
  const { phone_number_id } = reply.body.data
  expect((await service.ask('POST', `/phone-numbers/${phone_number_id}/check`)).body.data).toMatchObject({
    ok: true,
  })
})

describe('what is refused, by field and with the mend', () => {
  const bad = (credentials: object) => sip({}, { ...trunk, ...credentials })

  it.each([
    [
      'a URL as host',
      () => bad({ host: 'https://trunk.example' }),
      'credentials.host',
      'Give the host alone',
    ],
    [
      'a SIP address as host',
      () => bad({ host: 'sip:ada@trunk.example' }),
      'credentials.host',
      'without sip:',
    ],
    [
      'a user in the host',
      () => bad({ host: 'ada@trunk.example' }),
      'credentials.host',
      'belongs in username',
    ],
    ['a port in the host', () => bad({ host: 'trunk.example:5060' }), 'credentials.host', 'belongs in port'],
    [
      'a port after IPv6',
      () => bad({ host: '[2001:4860:4860::8888]:5060' }),
      'credentials.host',
      'belongs in port',
    ],
    [
      'half an IPv6 address',
      () => bad({ host: '2001:db8:zz' }),
      'credentials.host',
      'Is not an IPv6 address',
    ],
    ['half an IPv4 address', () => bad({ host: '203.0.113' }), 'credentials.host', 'Is not an IPv4 address'],
    ['a host with spaces', () => bad({ host: 'my trunk' }), 'credentials.host', 'Must be a host name'],
    ['a private host', () => bad({ host: '192.168.1.4' }), 'credentials.host', 'PARLEY_TRUSTED_HOSTS'],
    ['a port out of range', () => bad({ port: 70_000 }), 'credentials.port', '65535'],
    ['an unknown transport', () => bad({ transport: 'sctp' }), 'credentials.transport', 'udp'],
    ['a codec by another name', () => bad({ codecs: ['ulaw'] }), 'credentials.codecs.0', 'Write PCMU'],
    [
      'an unknown codec',
      () => bad({ codecs: ['opus', 'mp3'] }),
      'credentials.codecs.1',
      'There are opus, G722',
    ],
    ['a codec twice', () => bad({ codecs: ['opus', 'Opus'] }), 'credentials.codecs', 'twice'],
    ['a wrong CIDR', () => bad({ inbound_allow: ['203.0.113.0/33'] }), 'credentials.inbound_allow.0', 'CIDR'],
    [
      'a name as source',
      () => bad({ inbound_allow: ['trunk.example'] }),
      'credentials.inbound_allow.0',
      'CIDR',
    ],
    ['a header of ours', () => bad({ headers: { Via: 'x' } }), 'credentials.headers.Via', 'begins with X-'],
    ['its compact form', () => bad({ headers: { f: 'x' } }), 'credentials.headers.f', 'begins with X-'],
    [
      'a header that is none',
      () => bad({ headers: { 'X Y': 'x' } }),
      'credentials.headers.X Y',
      'not the name',
    ],
    [
      'a second line',
      () => bad({ headers: { 'X-A': 'x\r\nVia: y' } }),
      'credentials.headers.X-A',
      'one line',
    ],
    [
      'a user without a password',
      () => bad({ password: null }),
      'credentials.password',
      'needs its password',
    ],
    [
      'a password without a user',
      () => bad({ username: null }),
      'credentials.username',
      'needs its username',
    ],
    [
      'registering as nobody',
      () => sip({}, { host: 'trunk.example', register: true }),
      'credentials.register',
      'username',
    ],
    ['a masked password', () => bad({ password: 'a v…runk' }), 'credentials.password', 'give it itself'],
    [
      'neither a host nor users',
      () => sip({}, { codecs: ['PCMU'] }),
      'credentials.host',
      'needs inbound_users',
    ],
    [
      'a user twice',
      () =>
        bad({
          inbound_users: [
            { username: 'anna', password: 'x' },
            { username: 'Anna', password: 'y' },
          ],
        }),
      'credentials.inbound_users',
      'twice',
    ],
    [
      'a user without a password',
      () => bad({ inbound_users: [{ username: 'anna' }] }),
      'credentials.inbound_users.0.password',
      '',
    ],
    [
      'a masked password of a user',
      () => bad({ inbound_users: [{ username: 'anna', password: '…' }] }),
      'credentials.inbound_users.0.password',
      'give it itself',
    ],
    [
      'a username for no host',
      () => sip({}, { username: 'u', password: 'p', inbound_users: [{ username: 'anna', password: 'x' }] }),
      'credentials.host',
      'give its host',
    ],
    ['another status', () => bad({ full_status: 200 }), 'credentials.full_status', '503'],
    ['a prefix without +', () => bad({ prefixes: ['44'] }), 'credentials.prefixes.0', '+44'],
    ['a national number', () => sip({ phone_number: '030901820' }), 'phone_number', 'country code'],
    ['no trunk', () => ({ phone_number: unused(), provider: 'sip' }), 'credentials', 'at least the host'],
    ['a trunk of the sandbox', () => ({ ...sip(), provider: 'sandbox' }), 'credentials', 'leave it out'],
    ['twilio', () => ({ ...sip(), provider: 'twilio' }), 'provider', 'connected by its SIP trunk: write sip'],
    ['exotel', () => ({ phone_number: unused(), provider: 'exotel' }), 'provider', 'write sip'],
    ['an unknown provider', () => ({ ...sip(), provider: 'acme' }), 'provider', 'sandbox'],
  ])('%s', async (_what, body, path, message) => {
    const reply = await create(body())
    expect(reply.status, reply.text).toBe(400)
    expect(reply.body.code).toBe('VALIDATION_ERROR')
    expect(reply.body.details).toContainEqual({ path, message: expect.stringContaining(message) })
  })

  it('an agent that does not exist', async () => {
    for (const field of ['inbound_agent_id', 'outbound_agent_id']) {
      const reply = await create(sip({ [field]: stranger }))
      expect([reply.status, reply.body.code, reply.body.details[0].path]).toEqual([
        404,
        'AGENT_NOT_FOUND',
        field,
      ])
    }
  })

  it('a number that is there already', async () => {
    const { phone_number } = await made()
    const reply = await create(sip({ phone_number }))
    expect([reply.status, reply.body.code]).toEqual([400, 'PHONE_NUMBER_EXISTS'])
    expect(reply.body.details[0].path).toBe('phone_number')
  })

  it('the same number twice at once', async () => {
    const body = sip()
    const replies = await Promise.all([1, 2, 3, 4].map(() => create(body)))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400])
    expect(replies.filter(({ status }) => status === 400).map(({ body }) => body.code)).toEqual(
      Array(3).fill('PHONE_NUMBER_EXISTS'),
    )
  })
})

describe('an update', () => {
  it('changes only what is sent, inside of the trunk too', async () => {
    const { phone_number_id: id, ...before } = await made(
      { label: 'A' },
      { ...trunk, headers: { 'X-A': 'b' } },
    )
    const reply = await patch(id, {
      max_concurrency: 3,
      inbound_agent_id: agentId,
      credentials: { port: 5070 },
    })
    expect(reply.body.data).toMatchObject({
      ...before,
      max_concurrency: 3,
      inbound_agent_id: agentId,
      credentials: { ...before.credentials, port: 5070 },
      updated_at: expect.any(String),
    })
    const cleared = await patch(id, { label: null, max_concurrency: null, credentials: { port: null } })
    expect(cleared.body.data).toMatchObject({
      label: null,
      max_concurrency: null,
      credentials: { port: null },
    })
  })

  it('takes a secret that is sent back as it was shown for the stored one', async () => {
    const { phone_number_id: id, credentials } = await made({}, { ...trunk, headers: { 'X-Key': password } })
    expect((await patch(id, { credentials })).status).toBe(200)
    expect((await trunksOf()).find((found) => found.id === id)).toMatchObject({
      credentials: { username: 'ada', password },
      headers: { 'X-Key': password },
    })
  })

  it('sends no secret to a host that it was not given for', async () => {
    const { phone_number_id: id } = await made({}, { ...trunk, headers: { 'X-Key': password } })
    const refused = await patch(id, { credentials: { host: 'elsewhere.example' } })
    expect(refused.body.details).toEqual([
      { path: 'credentials.password', message: expect.stringContaining('give it again') },
      { path: 'credentials.headers.X-Key', message: expect.stringContaining('give it again') },
    ])
    const masked = { host: 'elsewhere.example', password: 'a v…runk', headers: { 'X-Key': 'a v…runk' } }
    expect((await patch(id, { credentials: masked })).status).toBe(400)
    const whole = {
      host: 'elsewhere.example',
      password: 'another secret of mine',
      headers: { 'X-Key': 'new' },
    }
    expect((await patch(id, { credentials: whole })).body.data.credentials).toMatchObject({
      host: 'elsewhere.example',
      password: 'ano…mine',
    })
  })

  it('refuses what a creation would', async () => {
    const { phone_number_id: id } = await made()
    expect(
      (await patch(id, { credentials: { host: '192.168.1.1', password: 'x' } })).body.details[0].path,
    ).toBe('credentials.host')
    expect((await patch(id, { credentials: { username: null } })).body.details[0].path).toBe(
      'credentials.username',
    )
    expect((await patch(id, { phone_number: '+4930' })).status).toBe(400)
    const sandbox = (await create({ phone_number: unused(), provider: 'sandbox' })).body.data.phone_number_id
    expect((await patch(sandbox, { credentials: { host: 'trunk.example' } })).body.details[0].path).toBe(
      'credentials',
    )
  })
})

describe('a deletion', () => {
  it('removes it', async () => {
    const { phone_number_id: id } = await made()
    expect((await remove(id)).body.data).toEqual({ phone_number_id: id, deleted: true })
    expect((await remove(id)).body.code).toBe('PHONE_NUMBER_NOT_FOUND')
  })

  it('is refused while an agent calls from it', async () => {
    const { phone_number_id: id } = await made()
    const user = await newAgent(service, { phone_number_id: id.toUpperCase() })
    expect((await remove(id)).body).toMatchObject({
      code: 'RESOURCE_IN_USE',
      message: expect.stringContaining('used by 1 agent.'),
    })
    await service.ask('DELETE', `/agents/${user}`)
    expect((await remove(id)).status).toBe(200)
  })

  it('is refused while calls and batches wait for it', async () => {
    const { phone_number_id: id } = await made()
    const call = await placeCall(service, agentId, { phone_number_id: id })
    const recipients = [{ to_phone_number: '+15550100' }]
    const body = { name: 'B', agent_id: agentId, recipients, phone_number_id: id }
    const batch = (await service.ask('POST', '/batch-calls', { body })).body.data.batch_id
    expect((await remove(id)).body.message).toContain('1 batch, 1 call that has not ended')
    await service.ask('POST', `/calls/${call}/stop`)
    await service.ask('DELETE', `/batch-calls/${batch}`)
    expect((await remove(id)).status).toBe(200)
  })

  it('of an agent takes it off its numbers', async () => {
    const gone = await newAgent(service)
    const { phone_number_id: id } = await made({ inbound_agent_id: gone, outbound_agent_id: agentId })
    await service.ask('DELETE', `/agents/${gone}`)
    expect(await get(id)).toMatchObject({ inbound_agent_id: null, outbound_agent_id: agentId })
  })
})

it('an agent cannot name a number that is not there', async () => {
  const body = { agent_config: { agent_name: 'A', llm_agent: {}, phone_number_id: stranger } }
  expect((await service.ask('POST', '/agents', { body })).body.details).toEqual([
    { path: 'agent_config.phone_number_id', message: 'There is no phone number with this id.' },
  ])
})

it('a number of another workspace is not found, by nobody and with no difference', async () => {
  const other = randomUUID()
  await service.database.query('INSERT INTO workspaces (workspace_id, name) VALUES ($1, $2)', [
    other,
    'Other',
  ])
  await service.database.query(
    'INSERT INTO api_key_access SELECT api_key_id, $1 FROM api_keys WHERE workspace_id IS NULL',
    [other],
  )
  await service.database.query('NOTIFY api_keys')
  const { phone_number_id: id } = await made()
  const headers = { 'x-api-key': unboundKey, 'x-workspace-id': other }
  for (const [method, path] of [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/check'],
  ]) {
    const ask = { headers, ...(method === 'PATCH' && { body: {} }) }
    const [theirs, nobodys] = await Promise.all(
      [id, stranger].map((one) => service.ask(method as string, `/phone-numbers/${one}${path}`, ask)),
    )
    expect(theirs?.status).toBe(404)
    expect({ ...theirs?.body, request_id: '' }).toEqual({ ...nobodys?.body, request_id: '' })
  }
})

it('lists are filtered and paged', async () => {
  await made({ status: 'inactive' })
  const reply = await service.ask('GET', '/phone-numbers?provider=sip&status=inactive&limit=1')
  expect(reply.body.data.data).toHaveLength(1)
  expect(reply.body.data.data[0]).toMatchObject({ provider: 'sip', status: 'inactive' })
})

it('a check without a SIP line says which setting is missing', async () => {
  const { phone_number_id: id } = await made()
  const reply = await service.ask('POST', `/phone-numbers/${id}/check`)
  expect(reply.body.data).toEqual({
    ok: false,
    registered: null,
    options_ms: null,
    message: expect.stringContaining('PARLEY_SIP_PORT'),
  })
  await patch(id, { status: 'inactive' })
  expect((await service.ask('POST', `/phone-numbers/${id}/check`)).body.data.message).toContain('inactive')
})

/** As another process reads them. */
async function trunksOf(): Promise<readonly Trunk[]> {
  const db = openDb({ connectionString: service.database.url }, 2, () => {})
  const trunks = await openTrunks(db, openVault('a secret for tests only'))
  try {
    return await trunks.all()
  } finally {
    await trunks.close()
    await db.close()
  }
}

it('a check is answered by the process that has the SIP line', async () => {
  const { phone_number_id: id } = await made()
  const db = openDb({ connectionString: service.database.url }, 2, () => {})
  const trunks = await openTrunks(db, openVault('a secret for tests only'))
  const asked: Trunk[] = []
  const answering = await answerTrunkChecks(
    db,
    trunks,
    async (one) => {
      asked.push(one)
      return { ok: true, registered: true, optionsMs: 12.5, message: 'It is there.' }
    },
    (error) => {
      throw error
    },
  )
  const replies = await Promise.all([1, 2].map(() => service.ask('POST', `/phone-numbers/${id}/check`)))
  for (const { body } of replies)
    expect(body.data).toEqual({ ok: true, registered: true, options_ms: 12.5, message: 'It is there.' })
  expect(asked).toHaveLength(2)
  expect(asked[0]).toMatchObject({ id, credentials: { username: 'ada', password } })
  await answering.close()
  await trunks.close()
  await db.close()
})

it('trunks are known to every process, and change there', async () => {
  const db = openDb({ connectionString: service.database.url }, 2, () => {})
  const trunks = await openTrunks(db, openVault('a secret for tests only'))
  let changes = 0
  const stop = trunks.onChange(() => changes++)
  const find = async (id: string) => (await trunks.all()).find((one) => one.id === id)
  const { phone_number_id: id, phone_number: number } = await made(
    { max_concurrency: 4 },
    {
      host: 'trunk.example',
      symmetric_rtp: false,
      identity_header: 'P-Preferred-Identity',
      caller_verification: 'require',
    },
  )
  await expect
    .poll(() => find(id))
    .toMatchObject({
      number,
      host: 'trunk.example',
      credentials: null,
      symmetricRtp: false,
      maxConcurrency: 4,
      identityHeader: 'P-Preferred-Identity',
      callerVerification: 'require',
    })
  expect(changes).toBeGreaterThan(0)
  await patch(id, { credentials: { ...trunk, register: true } })
  await expect
    .poll(() => find(id))
    .toMatchObject({ credentials: { username: 'ada', password }, register: true })
  await patch(id, { status: 'inactive' })
  await expect.poll(() => find(id)).toBeUndefined()
  stop()
  await trunks.close()
  await db.close()
})

it('no secret is in the database, in an answer or in the log', async () => {
  await made({}, { ...trunk, headers: { 'X-Key': 'a header that nobody reads' } })
  const tables = ['phone_numbers', 'idempotent_answers']
  const rows = await Promise.all(
    tables.map((table) => service.database.query(`SELECT t::text FROM ${table} t`)),
  )
  const list = await service.ask('GET', '/phone-numbers?limit=100')
  for (const text of [JSON.stringify(rows), list.text, service.log.join('')]) {
    expect(text).not.toContain(password)
    expect(text).not.toContain(Buffer.from(password).toString('hex'))
    expect(text).not.toContain('a header that nobody reads')
  }
})
