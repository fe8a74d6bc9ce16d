// What the workspace has used, its limits, and the notices of those that were reached.
import { voiceAddresses as addresses } from '@parley/contract/addresses'
import type { Page, PageQuery } from './requests.ts'
import { ask, requestTo, send, type TransportOptions } from './transport.ts'
import type {
  Concurrency,
  Notice,
  Prices,
  PublicPrices,
  UsageGroup,
  UsageLimits,
  UsageReport,
} from './wire.ts'

export interface UsageQuery extends PageQuery {
  /** A day such as 2026-01-31, or a time with an offset. */
  from?: string
  /** The last day, which is included, or a time. */
  to?: string
  /** The time zone of the days, such as Europe/Paris. */
  timezone?: string
  group_by?: UsageGroup
  agent_id?: string
}

export class Usage {
  readonly #transport: TransportOptions

  constructor(transport: TransportOptions) {
    this.#transport = transport
  }

  get(query: UsageQuery = {}): Promise<UsageReport> {
    return send(this.#transport, { ...requestTo(addresses.getUsage), query: { ...query, format: 'json' } })
  }

  /** All rows as a CSV file. */
  async csv(query: Omit<UsageQuery, keyof PageQuery> = {}): Promise<string> {
    const request = { ...requestTo(addresses.getUsage), query: { ...query, format: 'csv' } }
    return (await ask(this.#transport, request)).text()
  }

  concurrency(query: { from?: string } = {}): Promise<Concurrency> {
    return send(this.#transport, { ...requestTo(addresses.getConcurrency), query })
  }

  limits(): Promise<UsageLimits> {
    return send(this.#transport, requestTo(addresses.getUsageLimits))
  }

  /** The prices as they are sent. Null: nothing has a price. */
  /** A table to begin with, with its date and its source. */
  publicPrices(): Promise<PublicPrices> {
    return send(this.#transport, requestTo(addresses.getPublicPrices))
  }

  prices(): Promise<Prices | null> {
    return send(this.#transport, requestTo(addresses.getUsagePrices))
  }

  notices(query: PageQuery = {}): Promise<Page<Notice>> {
    return send(this.#transport, { ...requestTo(addresses.listNotices), query })
  }
}
