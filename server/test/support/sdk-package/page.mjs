// A page that uses the client library from the same folder. The key is after the #.
import { Parley } from './index.js'

globalThis.outcome = use(location.hash.slice(1))

async function use(apiKey) {
  const parley = new Parley({ baseUrl: `${location.origin}/agent/v1`, apiKey })
  const { agent_id } = await parley.agents.create({ agent_name: 'Ada', llm_agent: {} })
  const { data } = await parley.agents.list({ limit: 100 })
  const { session_id } = await parley.calls.place({ agent_id, to_phone_number: '+15550100' })
  const events = []
  for await (const { type } of parley.calls.watch(session_id)) {
    events.push(type)
    if (type === 'status') await parley.calls.stop(session_id)
  }
  return { listed: data.some((agent) => agent.agent_id === agent_id), events }
}
