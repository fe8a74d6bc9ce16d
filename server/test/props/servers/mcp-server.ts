// A small MCP server by the official SDK, on loopback: one tool for orders, and a way to misbehave.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { z } from 'zod'

export interface OrderServer {
  readonly url: string
  /** Of every request, in order. */
  readonly seen: { readonly path: string; readonly headers: IncomingHttpHeaders }[]
  /** Of every use of a tool. */
  readonly used: { readonly tool: string; readonly order: string }[]
  /** Answers that replace the tool's own, by the ids of questions. */
  misbehave: ((response: ServerResponse, id: number) => void) | undefined
  close(): Promise<void>
}

export async function openOrderServer(): Promise<OrderServer> {
  const http = createServer(async (request, response) => {
    orders.seen.push({ path: request.url ?? '', headers: request.headers })
    const asked = request.method === 'POST' ? ((await json(request)) as ToolRequest) : undefined
    if (asked?.method === 'tools/call') {
      orders.used.push({ tool: asked.params.name, order: asked.params.arguments.order })
      if (orders.misbehave) return orders.misbehave(response, asked.id)
    }
    const server = new McpServer({ name: 'orders', version: '1.0.0' })
    for (const [tool, description] of Object.entries(tools))
      server.registerTool(tool, { description, inputSchema: { order: z.string() } }, () => ({
        content: [{ type: 'text', text: '{"state":"on its way"}' }],
      }))
    // Every request stands alone: no session is given.
    const transport = new StreamableHTTPServerTransport()
    response.once('close', () => void server.close())
    // The SDK's own type has an optional property that exact optional types refuse.
    await server.connect(transport as never)
    await transport.handleRequest(request, response, asked)
  })
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready))
  const orders: OrderServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    seen: [],
    used: [],
    misbehave: undefined,
    close: () =>
      new Promise((done) => {
        http.close(() => done())
        http.closeAllConnections()
      }),
  }
  return orders
}

interface ToolRequest {
  readonly method: string
  readonly id: number
  readonly params: { readonly name: string; readonly arguments: { readonly order: string } }
}

const tools = { find_order: 'Looks an order up.', cancel_order: 'Cancels an order.' }
