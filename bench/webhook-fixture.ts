// A service, a receiver and the database between them: the basis of all webhook benchmarks.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { type Db, openDb } from '../server/src/platform/db/db.ts'
import { apiKey, type Child, type Home, makeHome, startService } from './service-process.ts'
import { type Sink, startSink } from './webhook-sink-process.ts'

export interface Endpoint {
  readonly webhookId: string
  /** Only this agent's calls; undefined: all calls. */
  readonly agentId: string | undefined
}

export interface Fixture {
  readonly home: Home
  readonly sink: Sink
  /** Direct access to the service's database. */
  readonly db: Db
  start(): Promise<Child>
  newAgent(): Promise<string>
  newEndpoint(url: string, agentId?: string): Promise<Endpoint>
  /** Returns the response's `data`. */
  post(path: string, body?: object): Promise<Record<string, string>>
  removeEndpoint(endpoint: Endpoint): Promise<void>
  close(): Promise<void>
}

/** The agents whose calls these endpoints are told about. */
export const agentsOf = (endpoints: readonly Endpoint[]): string[] =>
  endpoints.flatMap(({ agentId }) => agentId ?? [])

// The benchmark ends calls and counts rows; it should not take connections from the service.
const databaseConnections = 4

const settings = { PARLEY_WEBHOOK_ALLOW_PRIVATE: 'true', PARLEY_CALL_EVENT_DELAY_SECONDS: '0' }

/** The caller starts the service; the fixture sets up and tears down everything else. */
export async function openFixture(endpoints: number, env: Record<string, string> = {}): Promise<Fixture> {
  const home = await makeHome()
  const sink = await startSink(home.dataDir, endpoints)
  const connection = { host: join(home.dataDir, 'run'), user: 'parley', database: 'postgres' }
  const db = openDb(connection, databaseConnections, () => {})
  let service: Child | undefined

  const ask = async (method: string, path: string, body?: object) => {
    const headers = {
      'x-api-key': apiKey,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    }
    const response = await fetch(`${home.url}/agent/v1${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return (JSON.parse(text) as { data: Record<string, string> }).data
  }

  return {
    home,
    sink,
    db,
    async start() {
      service = await startService(home, {
        env: { ...settings, NODE_EXTRA_CA_CERTS: sink.certificateFile, ...env },
      })
      return service
    },
    post: (path, body) => ask('POST', path, body),
    async newAgent() {
      const body = { agent_config: { agent_name: 'Front desk', llm_agent: {} } }
      return (await ask('POST', '/agents', body)).agent_id as string
    },
    async newEndpoint(url, agentId) {
      const body = { url, events: ['call.completed'], ...(agentId && { agent_id: agentId }) }
      return { webhookId: (await ask('POST', '/webhooks', body)).webhook_id as string, agentId }
    },
    async removeEndpoint({ webhookId }) {
      await ask('DELETE', `/webhooks/${webhookId}`)
    },
    async close() {
      await db.close()
      await service?.stop()
      await sink.child.kill()
      await home.remove()
    },
  }
}
