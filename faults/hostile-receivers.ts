// Hostile webhook receivers, each sent fifty deliveries by the real service with its real deadline: every attempt must
// end within 10.5 s, be logged, and leave the service no larger than before.
import { randomUUID } from 'node:crypto'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { generate } from 'selfsigned'
import { memoryOf } from '../bench/memory.ts'
import { apiKey, makeHome, startService } from '../bench/service-process.ts'

interface FaultReport {
  readonly receiver: string
  readonly slowestMs: number
  readonly delivered: number
  readonly errors: ReadonlySet<string>
}

const asksEach = 50
// The deadline of an attempt is 10 s; recording it may take half a second.
const mostMs = 10_500
// How much the memory may grow: beyond this, something from the receivers was retained.
const mostGrowthMb = 60

const head = 'HTTP/1.1 200 OK\r\n'
const chunk = Buffer.alloc(65_536, 'x')

const behaviours: Record<string, (socket: Socket) => void> = {
  'slow-drip headers': (socket) => drip(socket, `${head}x-slow: `),
  'slow-drip body': (socket) => drip(socket, `${head}content-length: 100000\r\n\r\n`),
  'endless body': (socket) => pour(socket, `${head}\r\n`),
  'endless headers': (socket) => pour(socket, `${head}x-long: `),
  'never-closing connection': (socket) => socket.write(`${head}content-length: 5\r\n\r\n`),
  silence: () => {},
  'connection reset': (socket) => socket.resetAndDestroy(),
  'wrong HTTP': (socket) => socket.end('220 mail.example ESMTP ready\r\n'),
  'gzip bomb': (socket) =>
    pour(socket, `${head}content-encoding: gzip\r\ncontent-length: 9999999999\r\n\r\n`),
}

/** A byte every 100 ms, as long as the connection lasts. */
function drip(socket: Socket, first: string): void {
  socket.write(first)
  const timer = setInterval(() => socket.write('x'), 100)
  socket.on('close', () => clearInterval(timer))
}

/** Endless data, as fast as the other side reads. */
function pour(socket: Socket, first: string): void {
  const more = () => {
    while (socket.writable && socket.write(chunk)) {}
  }
  socket.on('drain', more)
  socket.write(first)
  more()
}

function listen(server: Server): Promise<number> {
  server.on('connection', (socket: Socket) => socket.on('error', () => {}))
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  )
}

async function badCertificate(): Promise<Server> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'someone-else.example' }])
  return createTlsServer({ key, cert }, (socket) => socket.end(`${head}content-length: 0\r\n\r\n`)).on(
    'tlsClientError',
    () => {},
  ) as Server
}

async function ask(url: string, path: string, body?: object) {
  const response = await fetch(`${url}/agent/v1${path}`, {
    method: body || path.endsWith('/test') ? 'POST' : 'GET',
    headers: { 'x-api-key': apiKey, 'idempotency-key': randomUUID(), 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: a script that reads three fields
  return ((await response.json()) as { data: any }).data
}

async function torment(url: string, receiver: string, address: string): Promise<FaultReport> {
  const { webhook_id } = await ask(url, '/webhooks', { url: address, events: ['call.completed'] })
  const sent = await Promise.all(
    Array.from({ length: asksEach }, () => ask(url, `/webhooks/${webhook_id}/test`)),
  )
  const { data } = await ask(url, `/webhooks/${webhook_id}/deliveries?limit=100`)
  const attempts: { latency_ms: number; error: string | null }[] = data.flatMap(
    (delivery: { attempts: object[] }) => delivery.attempts,
  )
  if (attempts.length !== asksEach)
    throw new Error(`${receiver}: ${attempts.length} attempts in the log, not ${asksEach}`)
  return {
    receiver,
    slowestMs: Math.max(...attempts.map(({ latency_ms }) => latency_ms)),
    delivered: sent.filter(({ status }) => status === 'success').length,
    errors: new Set(attempts.map(({ error }) => error ?? 'answered 200')),
  }
}

export async function run(): Promise<boolean> {
  const home = await makeHome()
  const service = await startService(home, { env: { PARLEY_WEBHOOK_ALLOW_PRIVATE: 'true' } })
  const servers: [name: string, scheme: string, Server][] = [
    ...Object.entries(behaviours).map(([name, behave]): [string, string, Server] => [
      name,
      'http',
      createServer((socket) => socket.once('data', () => behave(socket))),
    ]),
    ['bad certificate', 'https', await badCertificate()],
  ]
  const targets = await Promise.all(
    servers.map(
      async ([name, scheme, server]) => [name, `${scheme}://127.0.0.1:${await listen(server)}/`] as const,
    ),
  )
  // A warm-up for whatever is loaded or cached on first use, then the measurement.
  await Promise.all(targets.map(([name, address]) => torment(home.url, name, address)))
  const beforeMb = memoryOf([service.pid]).rssMb
  const outcomes = await Promise.all(targets.map(([name, address]) => torment(home.url, name, address)))
  const growthMb = memoryOf([service.pid]).rssMb - beforeMb
  for (const [, , server] of servers) server.close()
  await service.stop()
  await home.remove()

  console.table(
    outcomes.map(({ receiver, slowestMs, delivered, errors }) => ({
      receiver,
      slowest: `${(slowestMs / 1000).toFixed(2)} s`,
      accepted: `${delivered}/${asksEach}`,
      log: [...errors].join('; '),
    })),
  )
  const late = outcomes.filter(({ slowestMs }) => slowestMs > mostMs)
  console.log(
    `attempts: ${outcomes.length * asksEach}, later than ${mostMs / 1000} s: ${late.length}, growth: ${growthMb.toFixed(0)} MB`,
  )
  return late.length === 0 && growthMb <= mostGrowthMb
}

if (import.meta.main) process.exit((await run()) ? 0 : 1)
