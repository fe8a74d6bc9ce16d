// A workspace with one thing of each kind that the dashboard has a page for.
import { detailOf, newAgent, placeCall } from './call-fixture.ts'
import type { Step } from './scripted-runner.ts'
import { type TestService, workspaceId } from './service.ts'
import { waitUntil } from './wait-until.ts'

/** Their ids. */
export type Furniture = Record<
  'agent' | 'graph' | 'batch' | 'call' | 'number' | 'repository' | 'tool' | 'webhook' | 'delivery',
  string
>

const prices = {
  currency: 'EUR',
  rows: [
    { part: 'transcriber', name: '*', per_minute: 0.006 },
    { part: 'synthesizer', name: '*', per_million_characters: 100 },
    { part: 'language-model', name: '*', per_million_input_tokens: 0.15, per_million_output_tokens: 0.6 },
  ],
}

const talk: Step = {
  type: 'outcome',
  outcome: {
    durationSeconds: 42,
    usage: { sttSeconds: 30, llmInputTokens: 5_200, llmOutputTokens: 310, ttsCharacters: 640, models: [] },
    engines: [
      { part: 'transcriber', asked: null, used: 'deepgram', why: null },
      { part: 'synthesizer', asked: null, used: 'elevenlabs', why: null },
      { part: 'language-model', asked: null, used: 'gpt-4o-mini', why: null },
    ],
  },
}

/** One thing of each kind, so that every page has something to show and to press. `url` is a receiver of its own. */
export async function furnish(service: TestService, url: string): Promise<Furniture> {
  const make = async (path: string, body: object): Promise<Record<string, string>> => {
    const reply = await service.ask('POST', path, { body })
    if (reply.status >= 300) throw new Error(`${path}: ${reply.text}`)
    return reply.body.data
  }
  await service.database.query('UPDATE workspaces SET prices = $2 WHERE workspace_id = $1', [
    workspaceId,
    JSON.stringify(prices),
  ])
  const agent = await newAgent(service, { agent_name: 'Receptionist' })
  const nodes = [
    { id: 'menu', prompt: 'Offer sales.', edges: [{ to_node_id: 'sales', condition: 'They want to buy.' }] },
    { id: 'sales', prompt: 'Sell.' },
  ]
  const graph = await newAgent(service, {
    agent_name: 'Menu',
    agent_type: 'graph_agent',
    llm_agent: { nodes, current_node_id: 'menu' },
  })
  const { webhook_id: webhook = '' } = await make('/webhooks', { url, events: ['call.completed'] })
  const { delivery_id: delivery = '' } = await make(`/webhooks/${webhook}/test`, {})
  const call = await placeCall(service, agent, { script: [talk] })
  const ended = async () => ((await detailOf(service, call)).call_status === 'completed' ? true : undefined)
  await waitUntil(ended, () => 'the call ends')
  const { batch_id: batch = '' } = await make('/batch-calls', {
    name: 'Reminders',
    agent_id: agent,
    recipients: [{ to_phone_number: '+15550101' }],
  })
  const { phone_number_id: number = '' } = await make('/phone-numbers', {
    phone_number: '+15550199',
    provider: 'sandbox',
  })
  const { repository_id: repository = '' } = await make('/knowledge-base', { name: 'Handbook' })
  const { tool_id: tool = '' } = await make('/tools', {
    type: 'http',
    name: 'find_order',
    description: 'Finds an order.',
    url,
    method: 'GET',
  })
  await make('/pronunciations', { written: 'Siobhan', say_as: 'shivawn', ipa: 'ʃɪˈvɔːn' })
  return { agent, graph, batch, call, number, repository, tool, webhook, delivery }
}
