// The yardstick: the least that undici can do for the same requests, signed and over TLS, with nothing stored. Run as a
// child:
//   node bench/webhook-bare-sender.ts <control port> <body file>
// POST /?count=<requests>&under_way=<per origin>&origin=<origin>… sends them all and returns how many seconds it took.
import { createHmac, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { Agent, request } from 'undici'

const [controlPort, bodyFile = ''] = process.argv.slice(2)
const body = readFileSync(bodyFile)
const secret = `whsec_${'0123456789abcdef'.repeat(3)}`
const webhookId = randomUUID()
// The service's own keep-alive.
const keepAlive = { keepAliveTimeout: 10_000, keepAliveMaxTimeout: 60_000 }
const dispatcherOf = new Map<number, Agent>()

function headers(): Record<string, string> {
  const unixSeconds = Math.floor(Date.now() / 1000)
  const digest = createHmac('sha256', secret).update(`${unixSeconds}.`).update(body).digest('hex')
  return {
    'content-type': 'application/json',
    'user-agent': 'Parley/1.0',
    'x-svc-webhook-id': webhookId,
    'x-svc-event': 'call.completed',
    'x-svc-delivery-id': randomUUID(),
    'x-svc-timestamp': String(unixSeconds),
    'x-svc-signature': `t=${unixSeconds},v1=${digest}`,
  }
}

async function send(count: number, underWay: number, origins: readonly string[]): Promise<number> {
  const dispatcher = dispatcherOf.get(underWay) ?? new Agent({ connections: underWay, ...keepAlive })
  dispatcherOf.set(underWay, dispatcher)
  const startedAt = performance.now()
  let left = count
  const carry = async (origin: string) => {
    while (left-- > 0) {
      const options = { dispatcher, method: 'POST', headers: headers(), body } as const
      const { statusCode, body: answer } = await request(`${origin}/count`, options)
      await answer.dump()
      if (statusCode !== 200) throw new Error(`answered ${statusCode}`)
    }
  }
  await Promise.all(origins.flatMap((origin) => Array.from({ length: underWay }, () => carry(origin))))
  return (performance.now() - startedAt) / 1000
}

createServer(async (asked, response) => {
  if (asked.method !== 'POST') return response.end('"ok"')
  const { searchParams } = new URL(asked.url ?? '', 'http://sender')
  const [count, underWay] = ['count', 'under_way'].map((name) => Number(searchParams.get(name)))
  response.end(JSON.stringify(await send(count ?? 0, underWay ?? 0, searchParams.getAll('origin'))))
}).listen(Number(controlPort), '127.0.0.1')
