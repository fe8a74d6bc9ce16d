// For tests that iterate over all operations: example requests, and resources for them.
import {
  checkPhoneNumber,
  createAgent,
  getAgentGraph,
  getErasure,
  type Operation,
  placeCall,
  putCredentials,
  tryTool,
  voiceOperations,
} from '@parley/contract'
import type { TestService } from '../service.ts'
import { fill } from './paths.ts'

// A workspace has a telephone number once.
let lastNumber = 4930901000
export const unusedNumber = (): string => `+${++lastNumber}`

// A dictionary has a word once.
let lastWord = 0
export const unusedWord = (): string => `Siobhan${++lastWord}`

/** The example body of the contract, with an agent that exists and a number that does not. */
export async function bodyFor(service: TestService, { example }: Operation): Promise<unknown> {
  const body = example?.body as Record<string, unknown> | undefined
  if (body !== undefined && 'phone_number' in body) return { ...body, phone_number: unusedNumber() }
  if (body !== undefined && 'written' in body) return { ...body, written: unusedWord() }
  if (body === undefined || !('agent_id' in body)) return body
  const { body: made } = await service.ask('POST', createAgent.path, { body: createAgent.example?.body })
  return { ...body, agent_id: made.data.agent_id }
}

/** Operations that answer in JSON; the others stream. */
export const answeringOperations = voiceOperations.filter(({ answers }) => /^(json|bare)$/.test(answers))

/** The commands that a batch needs before this one. */
const before: Record<string, string[]> = { pause: ['execute'], resume: ['execute', 'pause'] }

const vendor = { vendor: String(putCredentials.example?.params?.vendor) }

/** Creates the resource named by an operation's path, from the contract's example; undefined without {id}. */
export async function makeOne(
  service: TestService,
  { path }: Operation,
): Promise<Record<string, string> | undefined> {
  if (path.includes('{session_id}')) {
    const call = await service.ask('POST', placeCall.path, { body: await bodyFor(service, placeCall) })
    return { session_id: call.body.data.session_id }
  }
  if (path.includes('{number}')) {
    const body = (await bodyFor(service, placeCall)) as { to_phone_number: string }
    await service.ask('POST', placeCall.path, { body })
    return { number: body.to_phone_number }
  }
  if (path === getErasure.path) {
    const { body } = await service.ask('DELETE', '/callers/nobody')
    return { id: body.data.erasure_id }
  }
  if (path.includes('{vendor}')) {
    await service.ask('PUT', fill(putCredentials.path, vendor), { body: putCredentials.example?.body })
    return vendor
  }
  const collection = /^(\/[\w-]+)\/\{id\}/.exec(path)?.[1]
  const creating = voiceOperations.find((other) => other.method === 'POST' && other.path === collection)
  if (!creating) return undefined
  // Without a SIP line or a network, trunks and tools are asked for in vain and for seconds.
  const others: Record<string, object> = {
    [checkPhoneNumber.path]: { phone_number: unusedNumber(), provider: 'sandbox' },
    [tryTool.path]: { type: 'built_in', name: 'end_call' },
    // Others have no graph.
    [getAgentGraph.path]: {
      agent_config: { agent_name: 'Ada', agent_type: 'graph_agent', llm_agent: { nodes: [{ id: 'a' }] } },
    },
  }
  const { status, body, text } = await service.ask('POST', creating.path, {
    body: others[path] ?? (await bodyFor(service, creating)),
  })
  if (status !== creating.status) throw new Error(`the example of ${creating.id} does not work: ${text}`)
  const [, id] = Object.entries(body.data).find(([key]) => key.endsWith('_id')) ?? []
  for (const command of before[path.split('/').at(-1) ?? ''] ?? [])
    await service.ask('POST', `${creating.path}/${id}/${command}`)
  if (path.includes('{version}')) return { id: String(id), version: '1' }
  if (path.includes('{document_id}')) {
    const document = await service.ask('POST', `${creating.path}/${id}/documents`, {
      body: { text: 'A text.' },
    })
    return { id: String(id), document_id: document.body.data.document_id }
  }
  if (!path.includes('{delivery_id}')) return { id: String(id) }
  const sample = await service.ask('POST', `/webhooks/${id}/test`)
  return { id: String(id), delivery_id: sample.body.data.delivery_id }
}
