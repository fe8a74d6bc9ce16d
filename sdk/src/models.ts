// The language models that agents can think with.
import { voiceAddresses as addresses } from '@parley/contract/addresses'
import { requestTo, send, type TransportOptions } from './transport.ts'
import type { ModelsHere } from './wire.ts'

export class Models {
  readonly #transport: TransportOptions

  constructor(transport: TransportOptions) {
    this.#transport = transport
  }

  /** The model of agents that name none, and the vendors that an agent can name. */
  list(): Promise<ModelsHere> {
    return send(this.#transport, requestTo(addresses.listModels))
  }
}
