// From the draft of an agent to what is sent: the body that creates it, the update that saves a change, and their checks.
import type { Fault } from '@parley/contract'
import { mergingObjects } from '@parley/contract/agent-merge'
import { changesBetween, type Difference, isTree, type Tree, valueAt, withValue } from '../ui/forms/tree.ts'
import { numberFault, type Setting } from './setting.ts'

export const agentChanges = (before: Tree, after: Tree): Difference =>
  changesBetween(before, completed(after), mergingObjects)

export const faultsOfRemoval = (removed: string[]): Fault[] =>
  removed.map((path) => ({ path, message: 'A value is needed here: an update cannot take it away.' }))

/** The interface takes some objects whole; a form fills them field by field. */
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
 * A creation takes no engine of the installation by name: what names one is sent as an update right after it. `later` is
 * empty if nothing is.
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

/** A field that was emptied again was never filled. */
const withoutBlanks = (draft: Tree): Tree =>
  Object.fromEntries(Object.entries(draft).filter(([key, value]) => value !== '' || key === 'agent_name'))

/** What the interface would take, and no call could use. */
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
