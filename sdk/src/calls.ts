// Calls: placed, listed, read, stopped and watched while they live.
import type {
  BodyOf,
  CallDetail,
  CallDirection,
  CallEvent,
  CallStatus,
  CallSummary,
  Pagination,
  PlacedCall,
  placeCall,
  startWebCall,
  WebCall,
} from '@parley/contract'
import { readEvents } from './server-sent-events.ts'
import { ask, send, type TransportOptions } from './transport.ts'

type CallQuery = {
  page?: number
  limit?: number
  agent_id?: string
  batch_id?: string
  call_status?: CallStatus
  call_type?: CallDirection
  /** RFC 3339 with an offset. */
  from?: string
  to?: string
}

interface Once {
  idempotencyKey?: string
}

// How long to wait before going on watching, when the connection was lost.
const backAfterMs = 1_000

export class Calls {
  private readonly transport: TransportOptions

  constructor(transport: TransportOptions) {
    this.transport = transport
  }

  place(body: BodyOf<typeof placeCall>, { idempotencyKey }: Once = {}): Promise<PlacedCall> {
    return send(this.transport, { method: 'POST', path: '/calls', body, idempotencyKey })
  }

  /** For a browser, which joins at `url` with the token as its first message; see docs/guide/browser.md. */
  startWeb(body: BodyOf<typeof startWebCall>, { idempotencyKey }: Once = {}): Promise<WebCall> {
    return send(this.transport, { method: 'POST', path: '/calls/web', body, idempotencyKey })
  }

  list(query: CallQuery = {}): Promise<{ data: CallSummary[]; pagination: Pagination }> {
    return send(this.transport, { method: 'GET', path: '/calls', query })
  }

  get(sessionId: string): Promise<CallDetail> {
    return send(this.transport, { method: 'GET', path: `/call/detail/${sessionId}` })
  }

  stop(sessionId: string, { idempotencyKey }: Once = {}): Promise<PlacedCall> {
    return send(this.transport, { method: 'POST', path: `/calls/${sessionId}/stop`, idempotencyKey })
  }

  /** Every event of the call, from the start, as it comes; ends after `ended`, or after the analysis that `ended` promises. A lost connection is made again. */
  async *watch(
    sessionId: string,
    { after = 0, signal }: { after?: number; signal?: AbortSignal } = {},
  ): AsyncGenerator<CallEvent> {
    const request = { method: 'GET', path: `/calls/${sessionId}/events` } as const
    for (let last = after; ; ) {
      const headers = { accept: 'text/event-stream', 'last-event-id': String(last) }
      const response = await ask(this.transport, request, { headers, ...(signal && { signal }) })
      for await (const { id, event, data } of readEvents(response)) {
        const { at, ...rest } = JSON.parse(data)
        last = Number(id)
        yield { id: last, type: event, at, data: rest } as CallEvent
        if (event === 'analysis' || (event === 'ended' && !rest.analysis_follows)) return
      }
      if (signal?.aborted) return
      await new Promise((resolve) => setTimeout(resolve, backAfterMs))
    }
  }
}
