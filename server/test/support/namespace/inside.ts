// A small internet in one process, run inside a network namespace: name server, receiver, canaries, and the guard.
// The parent gives orders over the process channel, one at a time, and gets the answers the same way.
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { Server } from 'node:net'
import { fetch } from 'undici'
import { type Guard, openGuard } from '../../../src/platform/guard/guard.ts'
import { OutboundError, outbound } from '../../../src/platform/outbound.ts'
import { startNameServer } from './name-server.ts'
import {
  canaryAddresses,
  type Order,
  type OrderResult,
  publicAddresses,
  type RequestResult,
} from './orders.ts'

const delivered: string[] = []
const canary: string[] = []

const [keyFile = '', certFile = ''] = process.argv.slice(2)
const tls = { key: readFileSync(keyFile), cert: readFileSync(certFile) }

const names = await startNameServer('127.0.0.1')
for (const address of publicAddresses) await listen(createHttpsServer(tls, receive), 443, address)
for (const address of canaryAddresses) {
  await listen(watched(createHttpServer(sing), `${address}:80`), 80, address)
  await listen(watched(createHttpsServer(tls, sing), `${address}:443`), 443, address)
}

process.on('message', async (order: Order) => process.send?.(await obey(order)))
process.on('disconnect', () => process.exit())
process.send?.('ready')

async function obey(order: Order): Promise<OrderResult> {
  switch (order.do) {
    case 'name':
      names.name(order.name, order.turns)
      return null
    case 'inspect': {
      const guard = openGuard(order.options)
      const verdict = await guard.inspect(order.url)
      await guard.close()
      return verdict.ok ? 'ok' : verdict.reason
    }
    case 'send': {
      const guard = openGuard(order.options)
      const outcomes: RequestResult[] = []
      for (let turn = 0; turn < order.times; turn++) outcomes.push(await send(guard, order))
      await guard.close()
      return outcomes
    }
    case 'race': {
      const guard = openGuard(order.options)
      const settled: string[] = []
      const sent = order.urls.map((url) => send(guard, { ...order, url }).then(() => settled.push(url)))
      await Promise.all(sent)
      await guard.close()
      return settled
    }
    case 'fetch': {
      const guard = openGuard(order.options)
      const answer = await fetch(order.url, { dispatcher: guard.dispatcher }).then(
        ({ status }) => `${status}`,
        ({ cause }) => `${cause.message}`,
      )
      await guard.close()
      return answer
    }
    case 'look':
      return { delivered, canary, asked: Object.fromEntries(names.asked) }
  }
}

async function send(guard: Guard, target: { url: string; timeoutMs: number }): Promise<RequestResult> {
  const request = { method: 'POST', headers: {}, body: '{}', responseLimitBytes: 1_000 } as const
  try {
    const { url, timeoutMs } = target
    const { status } = await outbound(guard, { ...request, url, timeoutMs })
    return { status }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return { kind: error.kind, message: error.message }
  }
}

/** Redirects to where the path says, as a hostile receiver would; every request needs a new connection. */
function receive(...[request, response]: Parameters<RequestListener>): void {
  delivered.push(`${request.headers.host}${request.url}`)
  const location = new URL(request.url ?? '', 'https://receiver').searchParams.get('to')
  response.writeHead(location ? 302 : 200, { ...(location && { location }), connection: 'close' }).end()
}

function sing(...[, response]: Parameters<RequestListener>): void {
  response.end('a secret')
}

/** A connection is a hit, even when no request follows. */
function watched(server: Server, name: string): Server {
  return server.on('connection', () => canary.push(name))
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
}
