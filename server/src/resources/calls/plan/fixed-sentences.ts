// The sentences that an agent says the same way in every call: no variables, nothing that a model or a caller said.
import type { CalledAgent } from '@parley/contract'
import { type Fill, hasVariables } from './fill-variables.ts'
import { readGraph } from './read-graph.ts'
import { readGuardRails } from './read-guard-rails.ts'
import { readRoutes } from './read-routes.ts'
import { readTelephone } from './read-telephone.ts'
import { languagesOf, turnRules } from './turn-rules.ts'

/** Those that are heard first come first. */
export function fixedSentences(agent: CalledAgent): readonly string[] {
  const fill: Fill = (text) => (hasVariables(text) ? '' : text)
  const { telephone } = readTelephone(agent.api_tools)
  const { guardRails, consent } = readGuardRails(agent.api_tools, fill, languagesOf(agent))
  const { sayings, answering, backchannels } = turnRules(agent, fill, {
    telephone,
    isOutbound: agent.call_type !== 'inbound',
    consent,
  })
  const isGraph = [agent.agent_type, agent.llm_agent.agent_type].includes('graph_agent')
  const { graph } = isGraph ? readGraph(agent.llm_agent, fill) : { graph: null }
  return [
    ...[consent?.question, sayings.greeting, answering?.voicemailMessage, answering?.screeningAnswer],
    ...[sayings.areYouThere, sayings.farewell, sayings.apology, consent?.refused],
    ...[...sayings.fillers, ...sayings.lookups],
    ...(backchannels ? sayings.backchannels : []),
    ...(guardRails.topics.length > 0 ? [guardRails.refusal] : []),
    ...readRoutes(agent.llm_agent, fill).routes.flatMap(({ answers }) => answers),
    ...[...(graph?.nodes.values() ?? [])].map(({ words }) => words),
  ].filter((sentence, place, all): sentence is string => Boolean(sentence) && all.indexOf(sentence) === place)
}
