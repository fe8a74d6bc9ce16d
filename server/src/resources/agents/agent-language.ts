// Refuses an agent in a language that none of its engines serves, while it can still be changed.
import { offlineName } from '@parley/contract'
import { isRealtimeModel } from '@parley/contract/realtime-model'
import { fail } from '../../http/failure.ts'
import type { JudgeLanguage, LanguageQuestion } from '../../ports/agent-language.ts'
import type { Warning } from './agent-secrets.ts'

/** The fields that decide the language, as they may be in a stored configuration. */
interface LanguageFields {
  readonly language?: unknown
  readonly synthesizer?: unknown
  readonly transcriber?: unknown
  readonly api_tools?: unknown
  readonly llm_agent?: unknown
}

interface FieldLanguage {
  readonly path: string
  readonly language: unknown
}

/** `override`: a call's own language, in place of the agent's; then only that is judged. */
export function checkLanguage(
  config: LanguageFields,
  judge: JudgeLanguage,
  override?: string,
): readonly Warning[] {
  const model = field(field(config.llm_agent, 'llm_config'), 'model')
  // Such a model answers in the language that it hears.
  if (typeof model === 'string' && isRealtimeModel(model)) return []
  const own: readonly FieldLanguage[] =
    override === undefined
      ? [{ path: 'agent_config.language', language: config.language }]
      : [{ path: 'agent_overrides.language', language: override }]
  const heard = [
    { path: 'agent_config.transcriber.language', language: languageOf(config.transcriber) },
    ...own,
  ]
  const { synthesizer } = config
  const said = [
    { path: 'agent_config.synthesizer.language', language: languageOf(synthesizer) },
    {
      path: 'agent_config.synthesizer.provider_config.language',
      language: languageOf(field(synthesizer, 'provider_config')),
    },
    ...heard,
  ]
  const judged = [
    { part: 'synthesizer', named: said } as const,
    { part: 'transcriber', named: heard } as const,
  ].flatMap(({ part, named }) => {
    // The first language that is set counts.
    const deciding = named.find(({ language }) => typeof language === 'string')
    if (!deciding || (override !== undefined && deciding.path !== 'agent_overrides.language')) return []
    const question = { ...questionOf(part, config), language: deciding.language as string }
    return [{ path: deciding.path, ...judge(question) }]
  })
  const refused = judged.flatMap(({ path, refusal }) => (refusal ? [{ path, message: refusal }] : []))
  if (refused.length > 0) fail('OPTION_NOT_SERVED', { details: refused })
  // Both parts may say the same of one field.
  const unsure = judged.flatMap(({ path, warning }) => (warning ? [{ path, message: warning }] : []))
  return [...new Map(unsure.map((one) => [`${one.path} ${one.message}`, one])).values()]
}

function questionOf(
  part: LanguageQuestion['part'],
  config: LanguageFields,
): Pick<LanguageQuestion, 'part' | 'asked' | 'fallbacks'> {
  const provider = field(config[part], 'provider')
  const others = field(field(config.api_tools, 'fallbacks'), part)
  return {
    part,
    asked: typeof provider === 'string' && provider && provider !== offlineName ? provider : null,
    fallbacks: (Array.isArray(others) ? others : [])
      .map((other) => field(other, 'provider'))
      .filter((name) => typeof name === 'string'),
  }
}

const languageOf = (part: unknown): unknown => field(part, 'language')

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined

/** Whether an update concerns what is checked: an agent that was saved before can still be changed otherwise. */
export const touchesEngines = (patch: LanguageFields): boolean =>
  [patch.language, patch.synthesizer, patch.transcriber, patch.api_tools, patch.llm_agent].some(
    (part) => part !== undefined,
  )
