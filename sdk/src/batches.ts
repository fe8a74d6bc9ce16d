// Batches: stored, started, paused, watched; and what came of them.
import type {
  BatchDetail,
  BatchEvent,
  BatchStatus,
  BatchSummary,
  BodyOf,
  CreatedBatch,
  createBatch,
  Pagination,
  Recipient,
  RecipientStatus,
  updateBatch,
} from '@parley/contract'
import { readEvents } from './server-sent-events.ts'
import { ask, send, type TransportOptions } from './transport.ts'

type NewBatch = BodyOf<typeof createBatch>
type Page = { page?: number; limit?: number }

interface Once {
  idempotencyKey?: string
}

// How long to wait before going on watching, when the connection was lost.
const backAfterMs = 1_000

export class Batches {
  private readonly transport: TransportOptions

  constructor(transport: TransportOptions) {
    this.transport = transport
  }

  create(body: NewBatch, { idempotencyKey }: Once = {}): Promise<CreatedBatch> {
    return send(this.transport, { method: 'POST', path: '/batch-calls', body, idempotencyKey })
  }

  /** The recipients as CSV with a header: to_phone_number, and a variable in every other column. */
  createFromCsv(
    settings: Omit<NewBatch, 'recipients'>,
    csv: string | Blob,
    { idempotencyKey }: Once = {},
  ): Promise<CreatedBatch> {
    const body = new FormData()
    for (const [name, value] of Object.entries(settings)) {
      if (value !== undefined) body.set(name, typeof value === 'string' ? value : JSON.stringify(value))
    }
    body.set('file', typeof csv === 'string' ? new Blob([csv], { type: 'text/csv' }) : csv, 'recipients.csv')
    return send(this.transport, { method: 'POST', path: '/batch-calls', body, idempotencyKey })
  }

  list(
    query: Page & { status?: BatchStatus; agent_id?: string } = {},
  ): Promise<{ data: BatchSummary[]; pagination: Pagination }> {
    return send(this.transport, { method: 'GET', path: '/batch-calls', query })
  }

  get(batchId: string): Promise<BatchDetail> {
    return send(this.transport, { method: 'GET', path: `/batch-calls/${batchId}` })
  }

  update(batchId: string, body: BodyOf<typeof updateBatch>): Promise<BatchDetail> {
    return send(this.transport, { method: 'PATCH', path: `/batch-calls/${batchId}`, body })
  }

  delete(batchId: string): Promise<{ batch_id: string; deleted: true }> {
    return send(this.transport, { method: 'DELETE', path: `/batch-calls/${batchId}` })
  }

  recipients(
    batchId: string,
    query: Page & { status?: RecipientStatus } = {},
  ): Promise<{ data: Recipient[]; pagination: Pagination }> {
    return send(this.transport, { method: 'GET', path: `/batch-calls/${batchId}/recipients`, query })
  }

  execute = (batchId: string, once?: Once) => this.command(batchId, 'execute', once)
  pause = (batchId: string, once?: Once) => this.command(batchId, 'pause', once)
  resume = (batchId: string, once?: Once) => this.command(batchId, 'resume', once)
  cancel = (batchId: string, once?: Once) => this.command(batchId, 'cancel', once)

  /** A line of CSV for every recipient; read it as a stream where there are many. */
  results(batchId: string): Promise<Response> {
    return ask(this.transport, { method: 'GET', path: `/batch-calls/${batchId}/results.csv` })
  }

  /** How far it is, now and whenever that changes; ends after `ended`. A lost connection is made again. */
  async *watch(batchId: string, { signal }: { signal?: AbortSignal } = {}): AsyncGenerator<BatchEvent> {
    const request = { method: 'GET', path: `/batch-calls/${batchId}/events` } as const
    for (;;) {
      const headers = { accept: 'text/event-stream' }
      const response = await ask(this.transport, request, { headers, ...(signal && { signal }) })
      for await (const { id, event, data } of readEvents(response)) {
        const { at, ...rest } = JSON.parse(data)
        yield { id: Number(id), type: event, at, data: rest } as BatchEvent
        if (event === 'ended') return
      }
      if (signal?.aborted) return
      await new Promise((resolve) => setTimeout(resolve, backAfterMs))
    }
  }

  /** What the service says of it; a batch in another state is refused with BATCH_STATE_CONFLICT. */
  private async command(batchId: string, name: string, { idempotencyKey }: Once = {}): Promise<string> {
    const path = `/batch-calls/${batchId}/${name}`
    const response = await ask(this.transport, { method: 'POST', path, idempotencyKey })
    return ((await response.json()) as { message: string }).message
  }
}
