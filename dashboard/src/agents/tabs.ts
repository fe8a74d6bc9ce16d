// The tabs of the editor, and in which of them a field is found.
import type { Fault } from '@parley/contract'

export const tabWords = {
  prompt: 'Prompt',
  model: 'Model',
  voice: 'Voice',
  conversation: 'Conversation',
  tools: 'Tools',
  knowledge: 'Knowledge',
  analysis: 'Analysis',
  numbers: 'Numbers',
  advanced: 'Advanced',
} as const

export type TabName = keyof typeof tabWords

/** The tab of a field, by the longest of these paths that the field's path begins with. Fields without a tab are edited as JSON. */
const homes: Readonly<Record<string, TabName>> = {
  agent_name: 'prompt',
  status: 'prompt',
  agent_welcome_message: 'prompt',
  agent_prompt: 'prompt',
  timezone: 'prompt',
  llm_agent: 'model',
  synthesizer: 'voice',
  transcriber: 'voice',
  language: 'voice',
  'transcriber.endpointing': 'conversation',
  task_config: 'conversation',
  'api_tools.guard_rails': 'conversation',
  'api_tools.memory': 'conversation',
  'api_tools.turn_detection': 'conversation',
  'api_tools.fallbacks': 'voice',
  tool_definition_ids: 'tools',
  'api_tools.tools': 'tools',
  'api_tools.tools_params': 'tools',
  call_transfer_config: 'tools',
  repository_ids: 'knowledge',
  agent_type: 'knowledge',
  call_analysis_config: 'analysis',
  'api_tools.quality': 'analysis',
  webhook_url: 'analysis',
  'api_tools.telephone': 'numbers',
  phone_number_id: 'numbers',
  phone_number: 'numbers',
  call_type: 'numbers',
  provider: 'numbers',
}

export const isTab = (name: string | null): name is TabName => name !== null && Object.hasOwn(tabWords, name)

export function tabOf(path: string): TabName {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
    const home = homes[at]
    if (home) return home
  }
  return 'advanced'
}

/** How many faults each tab has. */
export function faultsByTab(faults: readonly Fault[]): Partial<Record<TabName, number>> {
  const counts: Partial<Record<TabName, number>> = {}
  for (const { path } of faults) counts[tabOf(path)] = (counts[tabOf(path)] ?? 0) + 1
  return counts
}
