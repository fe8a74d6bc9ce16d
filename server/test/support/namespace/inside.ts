// A small internet in one process, run inside a network namespace: name server, receiver, canaries, and the guard.
// The parent sends commands over the IPC channel, one at a time, and receives the results the same way.
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { Server } from 'node:net'
import { fetch } from 'undici'
import { type Guard, openGuard } from '../../../src/platform/guard/guard.ts'
import { OutboundError, requestOutside } from '../../../src/platform/outbound.ts'
import {
  type Command,
  type CommandResult,
  canaryAddresses,
  publicAddresses,
  type RequestResult,
} from './commands.ts'
import { startNameServer } from './name-server.ts'

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

process.on('message', async (command: Command) => process.send?.(await execute(command)))
process.on('disconnect', () => process.exit())
process.send?.('ready')

async function execute(command: Command): Promise<CommandResult> {
  switch (command.do) {
    case 'name':
      names.name(command.name, command.turns)
      return null
    case 'inspect': {
      const guard = openGuard(command.options)
      const verdict = await guard.inspect(command.url)
      await guard.close()
      return verdict.ok ? 'ok' : verdict.reason
    }
    case 'send': {
      const guard = openGuard(command.options)
      const outcomes: RequestResult[] = []
      for (let turn = 0; turn < command.times; turn++) outcomes.push(await send(guard, command))
      await guard.close()
      return outcomes
    }
    case 'race': {
      const guard = openGuard(command.options)
      const settled: string[] = []
      const sent = command.urls.map((url) => send(guard, { ...command, url }).then(() => settled.push(url)))
      await Promise.all(sent)
      await guard.close()
      return settled
    }
    case 'fetch': {
      const guard = openGuard(command.options)
      const answer = await fetch(command.url, { dispatcher: guard.dispatcher }).then(
        ({ status }) => `${status}`,
        ({ cause }) => `${cause.message}`,
      )
      await guard.close()
      return answer
    }
    case 'observe':
      return { delivered, canary, asked: Object.fromEntries(names.asked) }
  }
}

async function send(guard: Guard, target: { url: string; timeoutMs: number }): Promise<RequestResult> {
  const request = { method: 'POST', headers: {}, body: '{}', responseLimitBytes: 1_000 } as const
  try {
    const { url, timeoutMs } = target
    const { status } = await requestOutside(guard, { ...request, url, timeoutMs })
    return { status }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return { kind: error.kind, message: error.message }
  }
}

/** Redirects to the address in the path, like a hostile receiver; every request needs a new connection. */
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
