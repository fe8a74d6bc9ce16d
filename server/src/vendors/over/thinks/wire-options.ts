// The options of an agent as a vendor takes them, and those that it does not have.
import type { ModelOptions } from '../../../ports/call-plan.ts'
import type { ModelVendor, WireOptions } from './protocol.ts'

/** The names of the options in an agent's configuration. */
const optionNames = {
  temperature: 'temperature',
  maxTokens: 'max_tokens',
  topP: 'top_p',
  topK: 'top_k',
  minP: 'min_p',
  frequencyPenalty: 'frequency_penalty',
  presencePenalty: 'presence_penalty',
  stop: 'stop',
  seed: 'seed',
  reasoningEffort: 'reasoning_effort',
  responseFormat: 'response_format',
} satisfies Record<keyof ModelOptions, string>

type OptionName = keyof ModelOptions
const names = Object.keys(optionNames) as OptionName[]

/** Only what is set: a server may refuse a name even without a value. */
export function wireOptions(vendor: ModelVendor, model: string, options: ModelOptions = {}): WireOptions {
  const wire: Record<string, unknown> = { ...vendor.defaults(model) }
  // Several options may be parts of one object.
  for (const name of names)
    for (const [key, value] of Object.entries(written(vendor, model, options, name) ?? {}))
      wire[key] = isObject(value) && isObject(wire[key]) ? { ...wire[key], ...value } : value
  return wire
}

/** A sentence about the options that are set and that the vendor does not have. */
export function noteOnMissing(vendor: ModelVendor, model: string, options: ModelOptions): string | undefined {
  const missing = names.filter(
    (name) => options[name] !== undefined && !written(vendor, model, options, name),
  )
  if (missing.length === 0) return undefined
  const listed = missing.map((name) => `llm_config.${optionNames[name]}`).join(', ')
  return `${vendor.label} has no such option as ${listed}, which ${missing.length > 1 ? 'were' : 'was'} left aside`
}

function written(
  { options: rows }: ModelVendor,
  model: string,
  options: ModelOptions,
  name: OptionName,
): WireOptions | undefined {
  const value = options[name]
  const write = rows[name] as ((value: unknown, model: string) => WireOptions | undefined) | undefined
  return value === undefined ? undefined : write?.(value, model)
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
