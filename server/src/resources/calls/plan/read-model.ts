// An agent's language model settings. They are free-form on create, so what cannot be used is reported, not refused.
import { measured } from '@parley/contract/measured'
import { isRealtimeModel } from '@parley/contract/realtime-model'
import { z } from 'zod'
import type { ModelAddress, ModelPlan } from '../../../ports/call-plan.ts'

/** A form may have sent a number as a string. */
const numeric = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && value.trim() ? Number(value) : value),
    z.number().min(min).max(max),
  )

const whole = (min: number, max: number) => numeric(min, max).transform(Math.round)

const name = measured(z.string().trim().min(1))

/** How each key is read, and what it has to be. */
const settings = {
  model: [name, 'a name'],
  provider: [name, 'a name'],
  family: [name, 'a name'],
  base_url: [z.url({ protocol: /^https?$/ }), 'a web address'],
  api_key: [z.string().regex(/^[\x21-\x7e]+$/), 'visible characters without spaces'],
  api_version: [z.string().regex(/^[\w.-]+$/), 'a version, as in 2024-10-21'],
  temperature: [numeric(0, 2), 'a number from 0 to 2'],
  max_tokens: [whole(1, 1_000_000), 'a whole number from 1'],
  top_p: [numeric(0, 1), 'a number from 0 to 1'],
  top_k: [whole(1, 1_000_000), 'a whole number from 1'],
  min_p: [numeric(0, 1), 'a number from 0 to 1'],
  frequency_penalty: [numeric(-2, 2), 'a number from -2 to 2'],
  presence_penalty: [numeric(-2, 2), 'a number from -2 to 2'],
  stop: [z.union([z.string().transform((word) => [word]), z.array(z.string())]), 'a list of texts'],
  seed: [whole(-(2 ** 53), 2 ** 53), 'a whole number'],
  reasoning_effort: [name.toLowerCase(), 'a word such as low, medium or high'],
  response_format: [z.looseObject({ type: z.string() }), 'an object with a type'],
  request_json: [z.boolean(), 'true or false'],
} as const

type SettingName = keyof typeof settings
type Value<Name extends SettingName> = z.output<(typeof settings)[Name][0]>

/** Keys that are read elsewhere: routes, the graph, and the type of an agent. */
const readElsewhere = [
  'fallback',
  'routes',
  'nodes',
  'current_node_id',
  'agent_information',
  'context_data',
  'agent_flow_type',
  'agent_type',
]

/** Keys that are known and have no effect in a call. */
const withoutEffect: Readonly<Record<string, string>> = {
  vector_store: 'llm_config.vector_store is not used: repository_ids name what an agent knows',
  request_json: 'llm_config.request_json is not used in calls, whose answers are spoken: see response_format',
}

export function readModel(llmAgent: unknown): ModelPlan {
  const written = recordIn(recordIn(llmAgent).llm_config)
  const problems: string[] = []
  const read = reader(written, problems)
  const address = {
    model: read('model'),
    provider: read('provider'),
    family: read('family'),
    baseUrl: read('base_url'),
    apiKey: read('api_key'),
    apiVersion: read('api_version'),
  }
  const options = {
    temperature: read('temperature'),
    maxTokens: read('max_tokens'),
    topP: read('top_p'),
    topK: read('top_k'),
    minP: read('min_p'),
    frequencyPenalty: read('frequency_penalty'),
    presencePenalty: read('presence_penalty'),
    stop: read('stop'),
    seed: read('seed'),
    reasoningEffort: read('reasoning_effort'),
    responseFormat: read('response_format'),
  }
  const fallback = fallbackIn(written.fallback, problems)
  read('request_json')
  problems.push(...unusedIn(written))
  const hearsItself = address.model !== undefined && isRealtimeModel(address.model)
  return { ...address, fallback, options, problems, ...(hearsItself && { hearsItself }) }
}

/** A value that is missing or empty is not set. */
const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

const reader =
  (written: Readonly<Record<string, unknown>>, problems: string[]) =>
  <Name extends SettingName>(name: Name): Value<Name> | undefined => {
    if (!isSet(written[name])) return undefined
    const [schema, wanted] = settings[name]
    const { data, success } = schema.safeParse(written[name])
    if (!success) problems.push(`llm_config.${name} must be ${wanted} and was left aside`)
    return data as Value<Name> | undefined
  }

function unusedIn(written: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(written)
    .filter(([, value]) => isSet(value) && value !== false)
    .flatMap(([key]) => {
      if (Object.hasOwn(withoutEffect, key)) return withoutEffect[key] ?? []
      if (key in settings || readElsewhere.includes(key)) return []
      return `llm_config.${key} is not known here and was left aside`
    })
}

const address = (name: SettingName) => settings[name][0].nullish()

const Other = z.union([
  settings.model[0].transform((model) => ({ model })),
  z.object({
    model: settings.model[0],
    provider: address('provider'),
    family: address('family'),
    base_url: address('base_url'),
    api_key: address('api_key'),
    api_version: address('api_version'),
  }),
])

/** A name, an object with model, provider, base_url and api_key, or a list of these. */
function fallbackIn(written: unknown, problems: string[]): ModelAddress[] {
  if (!isSet(written)) return []
  return [written].flat().flatMap((one): ModelAddress[] => {
    const { data } = Other.safeParse(one)
    if (!data) {
      problems.push('llm_config.fallback must name a model, or have one; it was left aside')
      return []
    }
    return [addressIn({ ...data })]
  })
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const addressIn = (written: Readonly<Record<string, unknown>>): ModelAddress => ({
  model: text(written.model),
  provider: text(written.provider),
  family: text(written.family),
  baseUrl: text(written.base_url),
  apiKey: text(written.api_key),
  apiVersion: text(written.api_version),
})

const recordIn = (value: unknown): Record<string, unknown> =>
  z.record(z.string(), z.unknown()).safeParse(value).data ?? {}
