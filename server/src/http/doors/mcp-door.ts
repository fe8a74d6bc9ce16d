// The door for assistants: the Model Context Protocol over streamable HTTP. Every request stands alone, so any
// process can answer it; there is no session and no stream of our own.
import { mcpPath, type Role } from '@parley/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authenticateAssistant, type KeyRing, workspaceOf } from '../authenticate.ts'
import { jsonOf } from '../body/body.ts'
import { fail } from '../failure.ts'
import type { RateLimit } from '../rate-limit.ts'
import { originOf } from './voice-door.ts'

export interface McpRequest {
  readonly request: Request
  /** The parsed body. */
  readonly body: unknown
  readonly workspaceId: string
  /** The key's role. Null: it may do everything. */
  readonly role: Role | null
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal
}

export interface McpDoor {
  readonly keys: KeyRing
  readonly rateLimit: RateLimit
  readonly answer: (request: McpRequest) => Promise<Response>
}

export function mcpDoor(app: FastifyInstance, { keys, rateLimit, answer }: McpDoor): void {
  const enter = async (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Pick<McpRequest, 'workspaceId' | 'role'>> => {
    const key = await authenticateAssistant(keys, request.headers) // 401
    request.wide.api_key_id = key.id
    const workspaceId = workspaceOf(key, request.headers) // 411, 403
    request.wide.workspace_id = workspaceId
    await rateLimit.take(key.id, reply) // 429
    return { workspaceId, role: key.role }
  }

  app.post(mcpPath, async (request, reply) => {
    const who = await enter(request, reply)
    const body = await jsonOf(request) // 400
    // Batches of requests were removed from the protocol, and would be a way around the rate limit.
    if (body === undefined || Array.isArray(body)) fail('VALIDATION_ERROR', { details: [oneMessage] })
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    const headers = new Headers(plainHeaders(request))
    const asked = new Request(originOf(request) + mcpPath, { method: 'POST', headers })
    const response = await answer({ ...who, request: asked, body, signal: gone.signal })
    return reply
      .header('cache-control', 'no-store')
      .header('x-content-type-options', 'nosniff')
      .send(response)
  })

  // A client asks for a stream or ends a session with these; there are none.
  for (const method of ['GET', 'DELETE'] as const)
    app.route({
      method,
      url: mcpPath,
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        await enter(request, reply)
        return reply.code(405).header('allow', 'POST').send(notHere)
      },
    })
}

const oneMessage = { path: '', message: 'One JSON-RPC message is required, sent as application/json.' }

const notHere = {
  jsonrpc: '2.0',
  error: { code: -32_000, message: 'There are no sessions here; send every message with POST.' },
  id: null,
}

/** Only headers that the protocol reads are passed on; keys are not. */
const plainHeaders = ({ headers }: FastifyRequest): Record<string, string> =>
  Object.fromEntries(
    ['accept', 'content-type', 'mcp-protocol-version'].flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
