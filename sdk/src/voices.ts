// The voices that agents can speak with.
import { voiceAddresses as addresses } from '@parley/contract/addresses'
import { requestTo, send, type TransportOptions } from './transport.ts'
import type { Voice } from './wire.ts'

export class Voices {
  readonly #transport: TransportOptions

  constructor(transport: TransportOptions) {
    this.#transport = transport
  }

  /** Every voice, with the address of a sample, which expires. */
  list(): Promise<Voice[]> {
    return send(this.#transport, requestTo(addresses.listVoices))
  }
}
