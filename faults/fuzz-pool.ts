// The ids of things that exist, for a fuzz: answers have named them, so that requests find something at their address.
import type { Json } from '../server/test/support/arbitrary.ts'
import type { RawReply } from '../server/test/support/fuzz/exchange.ts'
import type { DocumentedOperation, FuzzedRequest } from '../server/test/support/fuzz/request.ts'

// Ids kept of each kind: enough for variety; the newest are the least likely to be deleted already.
const kept = 40

/** The key of the id that names each kind of thing, by the first part of its path. */
const kinds: Readonly<Record<string, string>> = {
  agents: 'agent_id',
  calls: 'session_id',
  call: 'session_id',
  'batch-calls': 'batch_id',
  webhooks: 'webhook_id',
  files: 'file_id',
  transcripts: 'transcript_id',
}

const collectionOf = (path: string): string => path.replace(/^\/(agent\/)?v1\//, '').split('/')[0] ?? ''

export class Pool {
  readonly #ids = new Map<string, string[]>()
  /** The endpoint of a delivery. */
  readonly #endpoints = new Map<string, string>()

  get size(): number {
    return [...this.#ids.values()].flat().length
  }

  /** Remembers what a successful request made. */
  note({ path }: DocumentedOperation, { params }: FuzzedRequest, { status, text }: RawReply): void {
    if (status >= 300) return
    const data = dataIn(text)
    const key = kinds[collectionOf(path)]
    if (key && status !== 200 && typeof data[key] === 'string') this.#add(key, data[key])
    if (typeof data.delivery_id === 'string' && typeof params.id === 'string') {
      this.#add('delivery_id', data.delivery_id)
      this.#endpoints.set(data.delivery_id, params.id)
    }
  }

  /** The same request for things that exist; `pick` is any number. */
  aim({ path }: DocumentedOperation, sent: FuzzedRequest, pick: number): FuzzedRequest {
    const params = { ...sent.params }
    const delivery = path.includes('{delivery_id}') ? this.#one('delivery_id', pick) : undefined
    const named = this.#one(kinds[collectionOf(path)] ?? '', pick)
    if (delivery) Object.assign(params, { delivery_id: delivery, id: this.#endpoints.get(delivery) })
    else if (named) for (const name of Object.keys(params)) params[name] = named
    const agentId = this.#one('agent_id', pick)
    const body =
      agentId && typeof sent.body === 'string'
        ? sent.body.replace(/"agent_id":"[^"]*"/, `"agent_id":"${agentId}"`)
        : sent.body
    return { ...sent, params, ...(body !== undefined && { body }) }
  }

  #add(key: string, id: string): void {
    const ids = [...(this.#ids.get(key) ?? []), id]
    for (const gone of ids.splice(0, ids.length - kept)) this.#endpoints.delete(gone)
    this.#ids.set(key, ids)
  }

  #one(key: string, pick: number): string | undefined {
    const ids = this.#ids.get(key) ?? []
    return ids[pick % ids.length]
  }
}

function dataIn(text: string): Record<string, Json> {
  try {
    return JSON.parse(text).data ?? {}
  } catch {
    return {}
  }
}
