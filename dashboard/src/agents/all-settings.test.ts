// Every field of an agent is in the editor: a field that the interface gets is described here too.
import { AgentConfig, AgentPatch } from '@parley/contract'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { allSettings } from './all-settings.ts'
import { tabOf } from './tabs.ts'

/** In the tabs, with components of their own. */
const written = [
  ...['agent_name', 'agent_welcome_message', 'agent_prompt', 'status', 'agent_type', 'language'],
  ...['llm_agent.llm_config.provider', 'llm_agent.llm_config.model', 'llm_agent.routes'],
  ...['synthesizer.provider', 'synthesizer.provider_config.voice', 'transcriber.provider'],
  ...['tool_definition_ids', 'repository_ids', 'call_transfer_config', 'phone_number_id'],
  ...['call_analysis_config.data_extraction_fields', 'call_analysis_config.disposition_fields'],
  // By its parts; what is not described is found as JSON.
  'api_tools',
]
/** Without effect in any call, and found as JSON. */
const onlyAsJson = ['input', 'output', 'llm_agent.llm_config.routes']

/** The leaves of an object, as paths on the wire. */
function pathsOf(schema: z.ZodType, at: string): string[] {
  if (schema instanceof z.ZodObject && !known.has(at))
    return Object.entries(schema.shape).flatMap(([key, inner]) =>
      pathsOf(inner as z.ZodType, at ? `${at}.${key}` : key),
    )
  const isWrapped =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  return isWrapped ? pathsOf(schema.unwrap() as z.ZodType, at) : [at]
}

const known = new Set([...written, ...onlyAsJson, ...allSettings.map(({ path }) => path)])

it('has every field of the interface', () => {
  const paths = [AgentConfig, AgentPatch].flatMap((schema) => pathsOf(schema, ''))
  // An object whose keys are the vendor's: its known keys are those of the update.
  const open = new Set(['llm_agent', 'task_config', 'synthesizer.provider_config'])
  expect([...new Set(paths)].filter((path) => !known.has(path) && !open.has(path))).toEqual([])
})

it('describes each of them once, with help, and knows its tab', () => {
  const paths = allSettings.map(({ path }) => path)
  expect(new Set(paths).size).toBe(paths.length)
  expect(allSettings.filter(({ help }) => !help)).toEqual([])
  expect(paths.filter((path) => tabOf(path) === 'advanced')).toEqual([])
})
