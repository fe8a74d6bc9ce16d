// A client of the agents API, as a customer would use it.
import { Agent, request } from 'node:http'
import { apiKey } from '../bench/service-process.ts'

interface Answer {
  readonly status: number
  readonly body: unknown
}

export interface AgentsClient {
  /** The agent's id, or undefined if there was no usable response. */
  create(key: string): Promise<string | undefined>
  /** The agent's name, which is the key that created it, or undefined if it does not exist. */
  nameOf(agentId: string): Promise<string | undefined>
  count(): Promise<number>
  close(): void
}

// The longest wait for an answer: a killed service closes the connection at once, only one that hangs is silent for longer.
const timeoutMs = 10_000

export function agentsClient(url: string): AgentsClient {
  const agent = new Agent({ keepAlive: true })
  const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
    new Promise<Answer>((resolve, reject) => {
      const sent = request(`${url}/agent/v1${path}`, {
        method,
        agent,
        timeout: timeoutMs,
        headers: { 'x-api-key': apiKey, ...headers },
      })
      sent.on('timeout', () => sent.destroy(new Error('no answer in time')))
      sent.on('error', reject)
      sent.on('response', (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (part) => (text += part))
        response.on('error', reject)
        // A truncated response does not count as an acknowledgement.
        response.on('end', () =>
          response.complete
            ? resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) })
            : reject(new Error('the answer was cut off')),
        )
      })
      sent.end(body)
    })

  return {
    async create(key) {
      const headers = { 'idempotency-key': key, 'content-type': 'application/json' }
      const body = JSON.stringify({ agent_config: { agent_name: key, llm_agent: {} } })
      const answer = await ask('POST', '/agents', headers, body).catch(() => undefined)
      if (answer === undefined || answer.status >= 500) return undefined
      if (answer.status !== 201) throw new Error(`POST /agents answered ${answer.status}`)
      return (answer.body as { data: { agent_id: string } }).data.agent_id
    },
    async nameOf(agentId) {
      const { status, body } = await ask('GET', `/agents/${agentId}`)
      if (status === 404) return undefined
      if (status !== 200) throw new Error(`GET /agents/{id} answered ${status}`)
      return (body as { data: { agent_config: { agent_name: string } } }).data.agent_config.agent_name
    },
    async count() {
      const { body } = await ask('GET', '/agents?limit=1')
      return (body as { data: { pagination: { total: number } } }).data.pagination.total
    },
    close: () => agent.destroy(),
  }
}
