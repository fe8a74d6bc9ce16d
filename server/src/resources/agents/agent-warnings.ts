// What is judged of an agent when it is saved: refused is what no engine could do, warned of is what may not be as it was
// meant.
import { checkLanguage, touchesLanguage } from './agent-language.ts'
import { type OptionFields, optionWarnings, touchesOptions } from './agent-options.ts'
import type { Warning } from './agent-secrets.ts'
import type { AgentChecks } from './references.ts'
import type { AgentConfigJson } from './store.ts'

/** `changed`: the part of the configuration that is being written. */
export function warningsOn(
  { judgeLanguage, judgeOptions }: Pick<AgentChecks, 'judgeLanguage' | 'judgeOptions'>,
  config: AgentConfigJson,
  changed: Parameters<typeof touchesLanguage>[0] & OptionFields = config,
): readonly Warning[] {
  return [
    ...(judgeLanguage && touchesLanguage(changed) ? checkLanguage(config, judgeLanguage) : []),
    ...(judgeOptions && touchesOptions(changed) ? optionWarnings(config, judgeOptions) : []),
  ]
}
