// A server on loopback that tools ask: keeps the requests and answers what the test says.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface ToolServer {
  readonly url: string
  readonly seen: SeenRequest[]
  /** What is answered from now on; `undefined`: nothing, ever. */
  answer: { readonly status: number; readonly body: string } | undefined
  close(): Promise<void>
}

export async function openToolServer(): Promise<ToolServer> {
  const seen: SeenRequest[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const { method = '', headers } = request
    seen.push({ method, path: pathname, query: Object.fromEntries(searchParams), headers, body })
    if (tools.answer) response.writeHead(tools.answer.status).end(tools.answer.body)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const tools: ToolServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    answer: { status: 200, body: '{}' },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
  return tools
}
