// From the draft of an agent to what is sent: the body that creates it, the update that saves a change, and their checks.
import type { Fault } from '@parley/contract'
import { mergingObjects } from '@parley/contract/agent-merge'
import { changesBetween, type Difference, isTree, type Tree, valueAt, withValue } from '../ui/forms/tree.ts'
import { numberFault, type Setting } from './setting.ts'

export const agentChanges = (before: Tree, after: Tree): Difference =>
  changesBetween(before, completed(after), mergingObjects)

export const faultsOfRemoval = (removed: string[]): Fault[] =>
  removed.map((path) => ({ path, message: 'A value is needed here: an update cannot take it away.' }))

/** Objects that the server accepts only whole, while the form fills them field by field. */
export function completed(draft: Tree): Tree {
  const analysis = draft.call_analysis_config
  const none = { summary: false, data_extraction: false, sentiment: false }
  const whole = isTree(analysis) ? { ...draft, call_analysis_config: { ...none, ...analysis } } : draft
  const quality = valueAt(whole, 'api_tools.quality')
  return isTree(quality) && quality.rubric === undefined
    ? withValue(whole, 'api_tools.quality.rubric', [])
    : whole
}

/**
 * Splits a new agent into the body that creates it and the update that follows. An agent cannot be created with an engine of
 * the installation by name, so that part is sent as `later`, which is empty where the agent names none.
 */
export function creationOf(draft: Tree): { config: Tree; later: Tree } {
  const later: Record<string, unknown> = {}
  let config = withoutBlanks(completed(draft))
  for (const part of ['synthesizer', 'transcriber']) {
    const settings = config[part]
    if (!isTree(settings)) continue
    const isOffline = settings.provider === 'offline' || (part === 'synthesizer' && !settings.provider)
    if (!isOffline) continue
    later[part] = settings
    config = withValue(config, part, undefined)
  }
  return { config, later }
}

/** The draft without its empty fields: one that was filled and emptied again counts as never filled. */
const withoutBlanks = (draft: Tree): Tree =>
  Object.fromEntries(Object.entries(draft).filter(([key, value]) => value !== '' || key === 'agent_name'))

/** Faults that the server would accept although no call could use the value. */
export function faultsOf(draft: Tree, settings: readonly Setting[]): Fault[] {
  const nameless = typeof draft.agent_name === 'string' && draft.agent_name.trim() === ''
  return [
    ...(nameless ? [{ path: 'agent_name', message: 'Give the agent a name.' }] : []),
    ...settings.flatMap((setting) => {
      const message = numberFault(setting, valueAt(draft, setting.path))
      return message ? [{ path: setting.path, message }] : []
    }),
  ]
}
