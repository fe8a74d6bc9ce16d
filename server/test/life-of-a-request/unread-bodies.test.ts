// A body that nobody wants to read: every client gets its answer all the same, and the connection stays in order.
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { limits } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RawConnection } from '../support/requests/raw-http.ts'
import { boundKey, openService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await openService({ PARLEY_ROLES: 'api,speech', PARLEY_UPLOAD_MAX_MB: '1' })
})
afterAll(() => service.close())

const run = promisify(execFile)
const json = { 'content-type': 'application/json' }
const withKey = () => ({ ...json, 'x-api-key': boundKey, 'idempotency-key': randomUUID() })
const agents = '/agent/v1/agents'
const newAgent = JSON.stringify({ agent_config: { agent_name: 'Ada', llm_agent: {} } })

/** More than any socket buffers, so that the client is still sending when its answer comes. */
const large = 24 * 1024 * 1024

interface Case {
  readonly path: string
  headers(): Record<string, string>
  readonly expected: [status: number, code: string]
}

const cases: [string, Case][] = [
  ['that is too large', { path: agents, headers: withKey, expected: [400, 'PAYLOAD_TOO_LARGE'] }],
  ['without a key', { path: agents, headers: () => json, expected: [401, 'API_KEY_MISSING'] }],
  [
    'to speech-to-text that is too large',
    {
      path: '/v1/files',
      headers: () => ({ 'content-type': 'audio/wav', authorization: boundKey }),
      expected: [400, 'PAYLOAD_TOO_LARGE'],
    },
  ],
]

// A broken pipe shows in some tries only.
const tries = 3

/**
 * All answers that Python gets, with the library whose `ask` this is. It sends a whole body before it reads anything.
 */
async function python(ask: string, { path, headers }: Case): Promise<unknown[]> {
  const { port } = new URL(service.url)
  const script = `
import http.client, json, sys, urllib.error, urllib.request, uuid
port, path, headers = ${port}, ${JSON.stringify(path)}, json.loads(sys.argv[1])
body = b'x' * ${large}
connection = http.client.HTTPConnection('127.0.0.1', port)
def ask():
${ask.replaceAll(/^/gm, '    ')}
answers = []
for _ in range(${tries}):
    if 'idempotency-key' in headers: headers['idempotency-key'] = str(uuid.uuid4())
    status, text = ask()
    answers.append([status, json.loads(text)['code']])
print(json.dumps(answers))`
  const { stdout } = await run('python3', ['-c', script, JSON.stringify(headers())])
  return JSON.parse(stdout)
}

const urllib = `
request = urllib.request.Request(f'http://127.0.0.1:{port}{path}', body, headers)
try: urllib.request.urlopen(request)
except urllib.error.HTTPError as refused: return refused.code, refused.read()`

// One connection carries all of them.
const httpClient = `
connection.request('POST', path, body, headers)
response = connection.getresponse()
return response.status, response.read()`

describe.each(cases)('a request of 24 MB %s', (_what, asked) => {
  it('is answered to fetch', async () => {
    for (let at = 0; at < tries; at++) {
      const { path, headers } = asked
      const response = await fetch(service.url + path, {
        method: 'POST',
        headers: headers(),
        body: new Uint8Array(large),
      })
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual(asked.expected)
    }
  })

  it('is answered to a streaming fetch, which announces no length', async () => {
    const { path, headers } = asked
    const response = await fetch(service.url + path, {
      method: 'POST',
      headers: headers(),
      body: new Blob([new Uint8Array(large)]).stream(),
      duplex: 'half',
    } as RequestInit)
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual(asked.expected)
  })

  it.each([
    ['urllib', urllib],
    ['http.client', httpClient],
  ])('is answered to Python with %s', async (_library, ask) => {
    expect(await python(ask, asked)).toEqual(Array(tries).fill(asked.expected))
  })

  it('is answered to curl, with and without asking first', async () => {
    const { path, headers } = asked
    for (const expect100 of ['Expect:', 'Expect: 100-continue']) {
      const given = Object.entries(headers()).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
      const program = `head -c ${large} /dev/zero | curl -sS -X POST --data-binary @- "$@" ${service.url}${path}`
      const { stdout } = await run('sh', ['-c', program, 'sh', ...given, '-H', expect100])
      expect(JSON.parse(stdout).code).toBe(asked.expected[1])
    }
  })
})

describe('a connection', () => {
  const connected: RawConnection[] = []
  const open = () => {
    const connection = new RawConnection(service.url)
    connected.push(connection)
    return connection
  }
  afterAll(() => {
    for (const connection of connected) connection.destroy()
  })

  it('carries the next request after a refused body, sent in one go with it', async () => {
    const connection = open()
    connection.begin('POST', agents, { ...json, 'content-length': 4 }).write('{bad')
    connection.begin('POST', agents, { ...withKey(), 'content-length': newAgent.length }).write(newAgent)
    connection.begin('GET', '/healthz', {})
    const answers = [await connection.answer(), await connection.answer(), await connection.answer()]
    expect(answers.map(({ status }) => status)).toEqual([401, 201, 200])
    expect(answers[0]?.headers.connection).not.toBe('close')
  })

  it('is not asked to send the body of a request that is refused', async () => {
    const connection = open()
    connection.begin('POST', agents, { ...json, 'content-length': 100, expect: '100-continue' })
    const { status, headers } = await connection.answer()
    expect([status, headers.connection]).toEqual([401, 'close'])
    connection.destroy()
  })

  it('is asked to send the body once it is wanted', async () => {
    const connection = open()
    connection.begin('POST', agents, {
      ...withKey(),
      'content-length': newAgent.length,
      expect: '100-continue',
    })
    expect((await connection.answer()).status).toBe(100)
    expect((await connection.write(newAgent).answer()).status).toBe(201)
  })

  it('whose rest is not well-formed gets one answer only', async () => {
    const connection = open()
    connection.begin('POST', agents, { ...json, 'transfer-encoding': 'chunked' })
    expect((await connection.answer()).status).toBe(401)
    connection.write('this is no chunk\r\n')
    await connection.closed
    expect(connection.rest).toBe('')
  })

  it('with a body in chunks is served like any other', async () => {
    const connection = open()
    connection.begin('POST', agents, { ...withKey(), 'transfer-encoding': 'chunked' })
    for (const part of [newAgent.slice(0, 10), newAgent.slice(10)])
      connection.write(`${part.length.toString(16)}\r\n${part}\r\n`)
    expect((await connection.write('0\r\n\r\n').answer()).status).toBe(201)
    connection.begin('POST', agents, { ...withKey(), 'transfer-encoding': 'chunked' })
    const half = '{"agent_config":{"agent_name":"'
    connection.write(`${half.length.toString(16)}\r\n${half}\r\n`)
    const chunk = 'x'.repeat(65_536)
    for (let sent = 0; sent <= limits.bodyBytes; sent += chunk.length)
      connection.write(`10000\r\n${chunk}\r\n`)
    // Refused although the end of the body is not in sight.
    const { status, body, headers } = await connection.answer()
    expect([status, body.code, headers.connection]).toEqual([400, 'PAYLOAD_TOO_LARGE', 'close'])
    connection.write('0\r\n\r\n')
    await connection.closed
  })
})
