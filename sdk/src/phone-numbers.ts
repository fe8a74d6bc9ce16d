// Telephone numbers and the trunks behind them.
import { voiceAddresses as addresses } from '@parley/contract/addresses'
import type { Page, PageQuery, RequestOptions } from './requests.ts'
import { requestTo, send, type TransportOptions } from './transport.ts'
import type {
  NewPhoneNumber,
  NumberCheck,
  NumberProvider,
  NumberStatus,
  PhoneNumber,
  PhoneNumberChange,
} from './wire.ts'

export class PhoneNumbers {
  readonly #transport: TransportOptions

  constructor(transport: TransportOptions) {
    this.#transport = transport
  }

  /** Secrets of the trunk are shown by their ends from now on. */
  create(body: NewPhoneNumber, { idempotencyKey }: RequestOptions = {}): Promise<PhoneNumber> {
    return send(this.#transport, { ...requestTo(addresses.createPhoneNumber), body, idempotencyKey })
  }

  list(
    query: PageQuery & { provider?: NumberProvider; status?: NumberStatus } = {},
  ): Promise<Page<PhoneNumber>> {
    return send(this.#transport, { ...requestTo(addresses.listPhoneNumbers), query })
  }

  get(phoneNumberId: string): Promise<PhoneNumber> {
    return send(this.#transport, requestTo(addresses.getPhoneNumber, { id: phoneNumberId }))
  }

  update(phoneNumberId: string, body: PhoneNumberChange): Promise<PhoneNumber> {
    return send(this.#transport, { ...requestTo(addresses.updatePhoneNumber, { id: phoneNumberId }), body })
  }

  /** Deletes a number. Refused while agents, batches or calls use it. */
  delete(phoneNumberId: string): Promise<{ phone_number_id: string; deleted: true }> {
    return send(this.#transport, requestTo(addresses.deletePhoneNumber, { id: phoneNumberId }))
  }

  /** Asks whether the trunk answers. `ok` of the answer tells, `message` says what to do. */
  check(phoneNumberId: string, { idempotencyKey }: RequestOptions = {}): Promise<NumberCheck> {
    const request = requestTo(addresses.checkPhoneNumber, { id: phoneNumberId })
    return send(this.#transport, { ...request, idempotencyKey })
  }
}
