// Refuses an agent in a language that no voice here speaks, while it can still be changed.
import { offlineName } from '@parley/contract'
import { fail } from '../../http/failure.ts'

/** One sentence for a language that an agent cannot have without a vendor; undefined: it can. */
export type RefuseLanguage = (language: string) => string | undefined

/** The fields that decide it, as they may be in a stored configuration. */
interface Spoken {
  readonly language?: unknown
  readonly synthesizer?: unknown
  readonly transcriber?: unknown
}

/**
 * An agent that names a vendor speaks as the vendor does. `override`: a call's own language, in place of the agent's;
 * then only that is refused.
 */
export function checkLanguage(config: Spoken, refuse: RefuseLanguage, override?: string): void {
  if (namesVendor(config.synthesizer)) return
  const recognised = languageOf(config.transcriber)
  if (override !== undefined && typeof recognised === 'string') return
  const named = [
    { path: 'agent_config.transcriber.language', language: recognised },
    { path: 'agent_overrides.language', language: override },
    { path: 'agent_config.language', language: config.language },
  ]
  // The first that is set is the one that is spoken.
  const spoken = named.find(({ language }) => typeof language === 'string')
  const message = spoken && refuse(spoken.language as string)
  if (message) fail('OPTION_NOT_SERVED', { details: [{ path: spoken.path, message }] })
}

const namesVendor = (synthesizer: unknown): boolean =>
  typeof synthesizer === 'object' &&
  synthesizer !== null &&
  'provider' in synthesizer &&
  Boolean(synthesizer.provider) &&
  synthesizer.provider !== offlineName

const languageOf = (part: unknown): unknown =>
  typeof part === 'object' && part !== null && 'language' in part ? part.language : undefined

/** Whether an update concerns what is checked: an agent that was saved before can still be changed otherwise. */
export const touchesLanguage = (patch: Spoken): boolean =>
  patch.language !== undefined || patch.synthesizer !== undefined || patch.transcriber !== undefined
