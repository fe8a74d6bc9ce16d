// What is known of callers, and how it is erased.
import { voiceAddresses as addresses } from '@parley/contract/addresses'
import type { Page, PageQuery } from './requests.ts'
import { requestTo, send, type TransportOptions } from './transport.ts'
import type { Caller, Erasure } from './wire.ts'

export class Callers {
  readonly #transport: TransportOptions

  constructor(transport: TransportOptions) {
    this.#transport = transport
  }

  /** `caller`: a number in E.164 form, a SIP address, or the caller_id of browser calls. */
  get(caller: string): Promise<Caller> {
    return send(this.#transport, requestTo(addresses.getCaller, { number: caller }))
  }

  /** Removes everything about them, in the background. It cannot be undone. */
  erase(caller: string): Promise<Erasure> {
    return send(this.#transport, requestTo(addresses.eraseCaller, { number: caller }))
  }

  erasure(erasureId: string): Promise<Erasure> {
    return send(this.#transport, requestTo(addresses.getErasure, { id: erasureId }))
  }

  erasures(query: PageQuery = {}): Promise<Page<Erasure>> {
    return send(this.#transport, { ...requestTo(addresses.listErasures), query })
  }
}
