// Parley as an MCP server: what an assistant can do in a workspace. A server is made for each request.

import { mustBeAtLeast } from '../../http/authenticate.ts'
import type { McpRequest } from '../../http/doors/mcp-door.ts'
import { type AssistantParts, resultOf } from './asking.ts'
import { assistantTools } from './assistant-tools.ts'

// Loaded by the first assistant: most installations have none.
const loadSdk = async () => {
  const [{ McpServer }, { WebStandardStreamableHTTPServerTransport }] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/mcp.js'),
    import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
  ])
  return { McpServer, WebStandardStreamableHTTPServerTransport }
}

const instructions = `Parley runs voice agents that talk on the telephone. Find an agent with list_agents. Try it out with
run_simulation, in which nobody is really called. place_call calls a real number unless it begins with +15550; ask the user
before you use it. A call goes on after place_call has answered: look at it with get_call and read_transcript.`

export const mcp =
  (parts: AssistantParts) =>
  async ({ request, body, workspaceId, role, signal }: McpRequest): Promise<Response> => {
    const { McpServer, WebStandardStreamableHTTPServerTransport } = await loadSdk()
    const server = new McpServer({ name: 'parley', version: '1.0.0' }, { instructions })
    for (const { name, run, needs, ...described } of assistantTools(parts)) {
      server.registerTool(name, described, (input: unknown, extra) => {
        const token = extra._meta?.progressToken
        const tell = async (progress: number, message: string): Promise<void> => {
          if (token === undefined) return
          const params = { progressToken: token, progress, message }
          await extra.sendNotification({ method: 'notifications/progress', params })
        }
        return resultOf(async () => {
          if (role) mustBeAtLeast(role, needs)
          return run(input as never, { workspaceId, signal: extra.signal, tell })
        })
      })
    }
    const transport = new WebStandardStreamableHTTPServerTransport()
    await server.connect(transport)
    // Closing the server ends what it was doing.
    signal.addEventListener('abort', () => void server.close(), { once: true })
    return transport.handleRequest(request, { parsedBody: body })
  }
