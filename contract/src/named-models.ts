// Which models of companies an agent's configuration names, wherever it names them. Free of zod, for readers that need the
// names only.
import { companies, credentialNameOf, llmProviderNamed } from './companies.ts'

export interface NamedModel {
  /** As agents name the company. */
  readonly provider: string
  readonly model: string
  /** Where in the configuration. */
  readonly path: string
}

/** The models of companies that an agent's configuration names, as it may be stored. */
export function namedModels(config: unknown): readonly NamedModel[] {
  const at = (path: string, provider: unknown, model: unknown): readonly NamedModel[] =>
    typeof provider === 'string' &&
    typeof model === 'string' &&
    Object.hasOwn(companies, credentialNameOf(provider))
      ? [{ provider, model, path: `agent_config.${path}` }]
      : []
  const spoken = (path: string, voice: unknown) =>
    at(`${path}.model`, field(voice, 'provider'), field(voice, 'model'))
  const thought = (path: string, model: unknown) => {
    // A server of the user's own may serve anything under any name.
    if (field(model, 'base_url')) return []
    const names = [field(model, 'provider'), field(model, 'family')].filter(
      (name) => typeof name === 'string',
    )
    return at(`${path}.model`, names.map(llmProviderNamed).find(Boolean), field(model, 'model'))
  }
  const llm = field(field(config, 'llm_agent'), 'llm_config')
  const synthesizer = field(config, 'synthesizer')
  const others = field(field(config, 'api_tools'), 'fallbacks')
  return [
    ...thought('llm_agent.llm_config', llm),
    ...itemsOf(field(llm, 'fallback')).flatMap((one) => thought('llm_agent.llm_config.fallback', one)),
    ...at(
      'synthesizer.provider_config.model',
      field(synthesizer, 'provider'),
      field(field(synthesizer, 'provider_config'), 'model'),
    ),
    ...spoken('transcriber', field(config, 'transcriber')),
    ...(['synthesizer', 'transcriber'] as const).flatMap((part) =>
      itemsOf(field(others, part)).flatMap((one) => spoken(`api_tools.fallbacks.${part}`, one)),
    ),
  ]
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined

const itemsOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
