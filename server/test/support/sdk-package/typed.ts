// Compiled against the packed client library under several compiler settings: correct code passes, wrong code does not.
import {
  type Agent,
  type CallEvent,
  type ErrorCode,
  type Page,
  Parley,
  ParleyError,
  SpeechToText,
} from '@parley/sdk'
import { type Listening, listen, readListenFlags } from '@parley/sdk/listen'
import { type CallCompletedEvent, signWebhook, verifyWebhook } from '@parley/sdk/webhooks'

const parley = new Parley({ baseUrl: 'http://localhost:8080/agent/v1', apiKey: 'svc_x' })

export async function right(): Promise<string> {
  const { agent_id } = await parley.agents.create({ agent_name: 'Ada', llm_agent: { llm_config: {} } })
  const page: Page<Agent> = await parley.agents.list({ page: 1 })
  const name: string | undefined = page.data[0]?.agent_config.agent_name
  for await (const event of parley.calls.watch('s')) {
    if (event.type === 'transcript') return event.data.content
  }
  const { progress } = await new SpeechToText({ baseUrl: 'x', apiKey: 'x' }).get('t')
  const event: CallCompletedEvent = verifyWebhook({ body: '{}', headers: {}, secret: 'whsec_x' })
  const receiver: Listening = await listen(
    readListenFlags({ secret: ['whsec_x'], host: 'localhost', port: '0' }),
    () => {},
  )
  await receiver.close()
  const headers: Record<string, string> = signWebhook({ body: '{}', secret: 'whsec_x' })
  return [agent_id, name, progress, event.data.call_status, headers].join()
}

export const codeOf = (error: unknown): ErrorCode | 'UNEXPECTED_ANSWER' | undefined =>
  error instanceof ParleyError ? error.code : undefined

export async function wrong(): Promise<void> {
  // @ts-expect-error An agent needs a name.
  await parley.agents.create({ llm_agent: {} })
  // @ts-expect-error There is no such status.
  await parley.calls.list({ call_status: 'ringing twice' })
  const agent: Agent = await parley.agents.get('a')
  // @ts-expect-error An id is text.
  const id: number = agent.agent_id
  // @ts-expect-error There is no such event.
  const type: CallEvent['type'] = 'begun'
  // @ts-expect-error The body is the raw one, not a parsed one.
  verifyWebhook({ body: { id, type }, headers: {}, secret: 'whsec_x' })
}
