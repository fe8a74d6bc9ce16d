// Calls: placed, listed, read, stopped, and followed while they run.
import { voiceAddresses as addresses } from '@parley/contract/addresses'
import type { Page, PageQuery, RequestOptions } from './requests.ts'
import { readEvents, reconnectAfterMs } from './server-sent-events.ts'
import { ask, requestTo, send, type TransportOptions } from './transport.ts'
import type {
  CallDeliveries,
  CallDetail,
  CallDirection,
  CallEvent,
  CallOverview,
  CallPassages,
  CallSip,
  CallStatus,
  CallSummary,
  HangupReason,
  NewCall,
  NewWebCall,
  PlacedCall,
  QualityReport,
  ShareCall,
  SharedLink,
  WebCall,
} from './wire.ts'

export interface CallQuery extends PageQuery {
  agent_id?: string
  batch_id?: string
  call_status?: CallStatus
  call_type?: CallDirection
  /** RFC 3339 with an offset. */
  from?: string
  to?: string
  /** The score by the rubric of the agent, from 0 to 100. */
  min_score?: number
  max_score?: number
  phone_number_id?: string
  /** Whether the call went over a number of yours. */
  with_number?: boolean
  /** A session_id, a call_sid, a part of a number, or words that were said. */
  search?: string
  answered?: boolean
  /** Seconds. */
  min_duration?: number
  max_duration?: number
  /** `none`: only ended calls of which it is not known. */
  hangup_reason?: HangupReason | 'none'
  sentiment?: 'positive' | 'neutral' | 'negative'
  /** The `field_name` of a disposition that matched. */
  disposition?: string
  /** Stop counting here, so that a long list is answered quickly. */
  count_up_to?: number
}

export interface QualityQuery {
  agent_id?: string
  /** RFC 3339 with an offset. */
  from?: string
  to?: string
}

export interface CallOverviewQuery {
  /** RFC 3339 with an offset. */
  from?: string
  to?: string
  timezone?: string
  agent_id?: string
  phone_number_id?: string
}

export class Calls {
  readonly #transport: TransportOptions

  constructor(transport: TransportOptions) {
    this.#transport = transport
  }

  place(body: NewCall, { idempotencyKey }: RequestOptions = {}): Promise<PlacedCall> {
    return send(this.#transport, { ...requestTo(addresses.placeCall), body, idempotencyKey })
  }

  /** For a browser, which opens the WebSocket at `url` and sends the token as its first message. */
  startWeb(body: NewWebCall, { idempotencyKey }: RequestOptions = {}): Promise<WebCall> {
    return send(this.#transport, { ...requestTo(addresses.startWebCall), body, idempotencyKey })
  }

  list(query: CallQuery = {}): Promise<Page<CallSummary>> {
    return send(this.#transport, { ...requestTo(addresses.listCalls), query: { ...query } })
  }

  get(sessionId: string): Promise<CallDetail> {
    return send(this.#transport, requestTo(addresses.getCall, { session_id: sessionId }))
  }

  /** How good calls were by the rubrics of their agents, by agent and day. */
  quality(query: QualityQuery = {}): Promise<QualityReport> {
    return send(this.#transport, { ...requestTo(addresses.getQuality), query: { ...query } })
  }

  /** The SIP messages of a telephone call that has ended. */
  sip(sessionId: string): Promise<CallSip> {
    return send(this.#transport, requestTo(addresses.getCallSip, { session_id: sessionId }))
  }

  /** How calls went in a period; without one, in the last 24 hours. */
  overview(query: CallOverviewQuery = {}): Promise<CallOverview> {
    return send(this.#transport, { ...requestTo(addresses.getCallOverview), query: { ...query } })
  }

  /** The deliveries of the call's event, newest first. */
  deliveries(sessionId: string): Promise<CallDeliveries> {
    return send(this.#transport, requestTo(addresses.listCallDeliveries, { session_id: sessionId }))
  }

  /** The passages of the knowledge base on which the call's answers are based. */
  passages(sessionId: string): Promise<CallPassages> {
    return send(this.#transport, requestTo(addresses.listCallPassages, { session_id: sessionId }))
  }

  /** A link with which anybody can look at the call until it expires. */
  share(
    sessionId: string,
    body: ShareCall = {},
    { idempotencyKey }: RequestOptions = {},
  ): Promise<SharedLink> {
    const request = requestTo(addresses.shareCall, { session_id: sessionId })
    return send(this.#transport, { ...request, body, idempotencyKey })
  }

  stop(sessionId: string, { idempotencyKey }: RequestOptions = {}): Promise<PlacedCall> {
    const request = requestTo(addresses.stopCall, { session_id: sessionId })
    return send(this.#transport, { ...request, idempotencyKey })
  }

  /**
   * Every event of the call from the start, as it happens. Returns after `ended`, or after `analysis` if `ended` announces
   * one. Reconnects when the connection is lost.
   */
  async *watch(
    sessionId: string,
    { after = 0, signal }: { after?: number; signal?: AbortSignal } = {},
  ): AsyncGenerator<CallEvent> {
    const request = requestTo(addresses.watchCall, { session_id: sessionId })
    for (let last = after; ; ) {
      const headers = { accept: 'text/event-stream', 'last-event-id': String(last) }
      const response = await ask(this.#transport, request, { headers, ...(signal && { signal }) })
      for await (const { id, event, data } of readEvents(response)) {
        const { at, ...rest } = JSON.parse(data)
        last = Number(id)
        yield { id: last, type: event, at, data: rest } as CallEvent
        if (event === 'analysis' || (event === 'ended' && !rest.analysis_follows)) return
      }
      if (signal?.aborted) return
      await new Promise((resolve) => setTimeout(resolve, reconnectAfterMs))
    }
  }
}
