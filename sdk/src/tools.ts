// Tools: what agents can do besides talking.
import { voiceAddresses as addresses } from '@parley/contract/addresses'
import type { Page, PageQuery, RequestOptions } from './requests.ts'
import { requestTo, send, type TransportOptions } from './transport.ts'
import type { NewTool, Tool, ToolChange, ToolTrial, ToolTried, ToolType, UpdatedTool } from './wire.ts'

export class Tools {
  readonly #transport: TransportOptions

  constructor(transport: TransportOptions) {
    this.#transport = transport
  }

  /** Values of headers are shown by their ends from now on. */
  create(body: NewTool, { idempotencyKey }: RequestOptions = {}): Promise<Tool> {
    return send(this.#transport, { ...requestTo(addresses.createTool), body, idempotencyKey })
  }

  list(query: PageQuery & { type?: ToolType } = {}): Promise<Page<Tool>> {
    return send(this.#transport, { ...requestTo(addresses.listTools), query })
  }

  get(toolId: string): Promise<Tool> {
    return send(this.#transport, requestTo(addresses.getTool, { id: toolId }))
  }

  /** Another host drops the secrets that were given for the old one; `warnings` of the answer names them. */
  update(toolId: string, body: ToolChange): Promise<UpdatedTool> {
    return send(this.#transport, { ...requestTo(addresses.updateTool, { id: toolId }), body })
  }

  /** Deletes a tool. Refused while agents name it. */
  delete(toolId: string): Promise<{ tool_id: string; deleted: true }> {
    return send(this.#transport, requestTo(addresses.deleteTool, { id: toolId }))
  }

  /** Sends the request for real. `ok` of the answer tells whether it works, `faults` what is wrong. */
  try(toolId: string, body: ToolTrial = {}, { idempotencyKey }: RequestOptions = {}): Promise<ToolTried> {
    return send(this.#transport, { ...requestTo(addresses.tryTool, { id: toolId }), body, idempotencyKey })
  }
}
