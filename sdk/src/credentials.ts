// Credentials for vendors of speech and of language models.
import { voiceAddresses as addresses } from '@parley/contract/addresses'
import type { RequestOptions } from './requests.ts'
import { requestTo, send, type TransportOptions } from './transport.ts'
import type { CredentialCheck, CredentialName, NewCredentials, VendorCredentials } from './wire.ts'

export class Credentials {
  readonly #transport: TransportOptions

  constructor(transport: TransportOptions) {
    this.#transport = transport
  }

  /** Every vendor, with what it needs and whose credentials calls use. */
  list(): Promise<{ vendors: VendorCredentials[] }> {
    return send(this.#transport, requestTo(addresses.listCredentials))
  }

  /** The credentials of one vendor. */
  get(vendor: CredentialName): Promise<VendorCredentials> {
    return send(this.#transport, requestTo(addresses.getCredentials, { vendor }))
  }

  /** Secrets are shown by their ends from now on. `last_check` of the answer tells what the vendor said to them. */
  put(vendor: CredentialName, body: NewCredentials): Promise<VendorCredentials> {
    return send(this.#transport, { ...requestTo(addresses.putCredentials, { vendor }), body })
  }

  delete(vendor: CredentialName): Promise<{ vendor: CredentialName; deleted: true }> {
    return send(this.#transport, requestTo(addresses.deleteCredentials, { vendor }))
  }

  /** Asks the vendor whether it accepts the credentials. `ok` of the answer tells. */
  check(vendor: CredentialName, { idempotencyKey }: RequestOptions = {}): Promise<CredentialCheck> {
    return send(this.#transport, { ...requestTo(addresses.checkCredentials, { vendor }), idempotencyKey })
  }
}
