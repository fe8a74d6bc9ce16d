// An agent's language model settings. They are free-form on create, so what cannot be used is reported, not refused.
import { z } from 'zod'
import type { ModelAddress, ModelPlan } from '../../../ports/call-plan.ts'

/** A form may have sent a number as a string. */
const numeric = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && value.trim() ? Number(value) : value),
    z.number().min(min).max(max),
  )

const settings = {
  model: z.string().trim().min(1),
  base_url: z.url({ protocol: /^https?$/ }),
  api_key: z.string().regex(/^[\x21-\x7e]+$/),
  temperature: numeric(0, 2),
  max_tokens: numeric(1, 1_000_000).transform(Math.round),
  top_p: numeric(0, 1),
  frequency_penalty: numeric(-2, 2),
  presence_penalty: numeric(-2, 2),
  stop: z.union([z.string().transform((word) => [word]), z.array(z.string())]),
}

const wanted = {
  model: 'a name',
  base_url: 'a web address',
  api_key: 'visible characters without spaces',
  temperature: 'a number from 0 to 2',
  max_tokens: 'a whole number from 1',
  top_p: 'a number from 0 to 1',
  frequency_penalty: 'a number from -2 to 2',
  presence_penalty: 'a number from -2 to 2',
  stop: 'a list of texts',
} satisfies Record<keyof typeof settings, string>

export function readModel(llmAgent: unknown): ModelPlan {
  const written = recordIn(recordIn(llmAgent).llm_config)
  const problems: string[] = []
  const read = <Name extends keyof typeof settings>(name: Name) => {
    const value = written[name]
    if (value === undefined || value === null || value === '') return undefined
    const { data, success } = settings[name].safeParse(value)
    if (!success) problems.push(`llm_config.${name} must be ${wanted[name]} and was left aside`)
    return data as z.output<(typeof settings)[Name]> | undefined
  }
  const [model, baseUrl, apiKey] = [read('model'), read('base_url'), read('api_key')]
  const options = {
    temperature: read('temperature'),
    maxTokens: read('max_tokens'),
    topP: read('top_p'),
    frequencyPenalty: read('frequency_penalty'),
    presencePenalty: read('presence_penalty'),
    stop: read('stop'),
  }
  return { model, baseUrl, apiKey, fallback: fallbackIn(written.fallback, problems), options, problems }
}

const Other = z.union([
  settings.model.transform((model) => ({ model })),
  z.object({
    model: settings.model,
    base_url: settings.base_url.nullish(),
    api_key: settings.api_key.nullish(),
  }),
])

/** A name, an object with model, base_url and api_key, or a list of these. */
function fallbackIn(written: unknown, problems: string[]): ModelAddress[] {
  if (written === undefined || written === null || written === '') return []
  return [written].flat().flatMap((one): ModelAddress[] => {
    const { data } = Other.safeParse(one)
    if (!data) problems.push('llm_config.fallback must name a model, or have one; it was left aside')
    const { model, base_url, api_key } = { base_url: null, api_key: null, ...data }
    return data ? [{ model, baseUrl: base_url ?? undefined, apiKey: api_key ?? undefined }] : []
  })
}

const recordIn = (value: unknown): Record<string, unknown> =>
  z.record(z.string(), z.unknown()).safeParse(value).data ?? {}
