// Batches: created, started, paused, followed, and their results.
import { voiceAddresses as addresses } from '@parley/contract/addresses'
import type { Page, PageQuery, RequestOptions } from './requests.ts'
import { readEvents, reconnectAfterMs } from './server-sent-events.ts'
import { ask, requestTo, type Send, send, type TransportOptions } from './transport.ts'
import type {
  BatchChange,
  BatchDetail,
  BatchEvent,
  BatchStatus,
  BatchSummary,
  CreatedBatch,
  NewBatch,
  Recipient,
  RecipientStatus,
} from './wire.ts'

export class Batches {
  readonly #transport: TransportOptions

  constructor(transport: TransportOptions) {
    this.#transport = transport
  }

  create(body: NewBatch, { idempotencyKey }: RequestOptions = {}): Promise<CreatedBatch> {
    return send(this.#transport, { ...requestTo(addresses.createBatch), body, idempotencyKey })
  }

  /** Recipients as CSV with a header line: a column to_phone_number; every other column is a variable. */
  createFromCsv(
    settings: Omit<NewBatch, 'recipients'>,
    csv: string | Blob,
    { idempotencyKey }: RequestOptions = {},
  ): Promise<CreatedBatch> {
    const body = new FormData()
    for (const [name, value] of Object.entries(settings)) {
      if (value !== undefined) body.set(name, typeof value === 'string' ? value : JSON.stringify(value))
    }
    body.set('file', typeof csv === 'string' ? new Blob([csv], { type: 'text/csv' }) : csv, 'recipients.csv')
    return send(this.#transport, { ...requestTo(addresses.createBatch), body, idempotencyKey })
  }

  list(query: PageQuery & { status?: BatchStatus; agent_id?: string } = {}): Promise<Page<BatchSummary>> {
    return send(this.#transport, { ...requestTo(addresses.listBatches), query })
  }

  get(batchId: string): Promise<BatchDetail> {
    return send(this.#transport, requestTo(addresses.getBatch, { id: batchId }))
  }

  update(batchId: string, body: BatchChange): Promise<BatchDetail> {
    return send(this.#transport, { ...requestTo(addresses.updateBatch, { id: batchId }), body })
  }

  delete(batchId: string): Promise<{ batch_id: string; deleted: true }> {
    return send(this.#transport, requestTo(addresses.deleteBatch, { id: batchId }))
  }

  recipients(
    batchId: string,
    query: PageQuery & { status?: RecipientStatus } = {},
  ): Promise<Page<Recipient>> {
    return send(this.#transport, { ...requestTo(addresses.listRecipients, { id: batchId }), query })
  }

  execute(batchId: string, options?: RequestOptions): Promise<string> {
    return this.#command(requestTo(addresses.executeBatch, { id: batchId }), options)
  }

  pause(batchId: string, options?: RequestOptions): Promise<string> {
    return this.#command(requestTo(addresses.pauseBatch, { id: batchId }), options)
  }

  resume(batchId: string, options?: RequestOptions): Promise<string> {
    return this.#command(requestTo(addresses.resumeBatch, { id: batchId }), options)
  }

  cancel(batchId: string, options?: RequestOptions): Promise<string> {
    return this.#command(requestTo(addresses.cancelBatch, { id: batchId }), options)
  }

  /** One line of CSV per recipient. Read the response as a stream when the batch is large. */
  results(batchId: string): Promise<Response> {
    return ask(this.#transport, requestTo(addresses.getBatchResults, { id: batchId }))
  }

  /** The progress now and whenever it changes. Returns after `ended`. Reconnects when the connection is lost. */
  async *watch(batchId: string, { signal }: { signal?: AbortSignal } = {}): AsyncGenerator<BatchEvent> {
    const request = requestTo(addresses.watchBatch, { id: batchId })
    for (;;) {
      const headers = { accept: 'text/event-stream' }
      const response = await ask(this.#transport, request, { headers, ...(signal && { signal }) })
      for await (const { id, event, data } of readEvents(response)) {
        const { at, ...rest } = JSON.parse(data)
        yield { id: Number(id), type: event, at, data: rest } as BatchEvent
        if (event === 'ended') return
      }
      if (signal?.aborted) return
      await new Promise((resolve) => setTimeout(resolve, reconnectAfterMs))
    }
  }

  /** Returns the service's message. A batch in the wrong state is refused with BATCH_STATE_CONFLICT. */
  async #command(request: Send, { idempotencyKey }: RequestOptions = {}): Promise<string> {
    const response = await ask(this.#transport, { ...request, idempotencyKey })
    return ((await response.json()) as { message: string }).message
  }
}
