// A service, its database, and the requests that the batch benchmarks need.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Db, openDb } from '../server/src/platform/db/db.ts'
import { apiKey, type Child, type Home, makeHome, startService } from './service-process.ts'

export interface BatchFixture {
  readonly home: Home
  readonly service: Child
  /** Direct access to the service's database. */
  readonly db: Db
  newAgent(): Promise<string>
  /** Returns the response's `data`; the body is sent unchanged, as JSON or as a form. */
  post(path: string, body?: string | Uint8Array<ArrayBuffer> | FormData): Promise<Record<string, unknown>>
  close(): Promise<void>
}

// A form's content type includes its boundary, which only fetch knows.
const isForm = (body: unknown) => body instanceof FormData

/** A service whose calls use the no-op line. */
export const noOpService = fileURLToPath(new URL('./no-op-service.ts', import.meta.url))

export async function openBatchFixture(env: Record<string, string>, program?: string): Promise<BatchFixture> {
  const home = await makeHome()
  const service = await startService(home, { env, ...(program && { program }) })
  const connection = { host: join(home.dataDir, 'run'), user: 'parley', database: 'postgres' }
  const db = openDb(connection, 2, () => {})

  const post: BatchFixture['post'] = async (path, body) => {
    const headers = { 'x-api-key': apiKey, 'idempotency-key': randomUUID() }
    const response = await fetch(`${home.url}/agent/v1${path}`, {
      method: 'POST',
      headers: { ...headers, ...(body && !isForm(body) && { 'content-type': 'application/json' }) },
      ...(body && { body }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${text}`)
    return JSON.parse(text).data
  }

  return {
    home,
    service,
    db,
    post,
    async newAgent() {
      const body = JSON.stringify({ agent_config: { agent_name: 'Front desk', llm_agent: {} } })
      return (await post('/agents', body)).agent_id as string
    },
    async close() {
      await db.close()
      await service.stop()
      await home.remove()
    },
  }
}

/** Typical of a campaign: about 150 bytes each. */
export const recipients = (count: number) =>
  Array.from({ length: count }, (_, place) => ({
    to_phone_number: `+1555${String(place).padStart(7, '0')}`,
    recipient_id: `customer-${place}`,
    name: `Customer Number ${place}`,
    variables: { amount: place % 500, due: '2026-12-01', plan: 'basic' },
  }))
