// What every walk over the operations needs: a resource that an operation can be asked about.
import { createAgent, type Operation, placeCall, voiceOperations } from '@parley/contract'
import type { TestService } from './service.ts'

/** The path with its parameters filled in, encoded so that they stay in their place. */
export const fill = (path: string, params: Record<string, unknown>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params[name])))

/** The example of the contract, about an agent that is there. */
export async function bodyFor(service: TestService, { example }: Operation): Promise<unknown> {
  const body = example?.body as Record<string, unknown> | undefined
  if (body === undefined || !('agent_id' in body)) return body
  const { body: made } = await service.ask('POST', createAgent.path, { body: createAgent.example?.body })
  return { ...body, agent_id: made.data.agent_id }
}

/** Operations that answer at once, in JSON; the others are streams. */
export const answeringOperations = voiceOperations.filter(({ answers }) => /^(json|bare)$/.test(answers))

/** What must have happened to a batch before this can be asked of it. */
const before: Record<string, string[]> = { pause: ['execute'], resume: ['execute', 'pause'] }

/** Makes what the {id} (and {delivery_id}) of an operation stands for, from the example in the contract; nothing if there is no {id}. */
export async function makeOne(
  service: TestService,
  { path }: Operation,
): Promise<Record<string, string> | undefined> {
  if (path.includes('{session_id}')) {
    const call = await service.ask('POST', placeCall.path, { body: await bodyFor(service, placeCall) })
    return { session_id: call.body.data.session_id }
  }
  const collection = /^(\/[\w-]+)\/\{id\}/.exec(path)?.[1]
  const creating = voiceOperations.find((other) => other.method === 'POST' && other.path === collection)
  if (!creating) return undefined
  const { status, body, text } = await service.ask('POST', creating.path, {
    body: await bodyFor(service, creating),
  })
  if (status !== creating.status) throw new Error(`the example of ${creating.id} does not work: ${text}`)
  const [, id] = Object.entries(body.data).find(([key]) => key.endsWith('_id')) ?? []
  for (const command of before[path.split('/').at(-1) ?? ''] ?? [])
    await service.ask('POST', `${creating.path}/${id}/${command}`)
  if (!path.includes('{delivery_id}')) return { id: String(id) }
  const sample = await service.ask('POST', `/webhooks/${id}/test`)
  return { id: String(id), delivery_id: sample.body.data.delivery_id }
}
