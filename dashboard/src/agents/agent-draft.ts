// The body of the update that saves an edited configuration.
import type { Fault } from '@parley/contract'
import { mergingObjects } from '@parley/contract/agent-merge'
import { changesBetween, type Difference, type Tree } from '../ui/tree.ts'

export const agentChanges = (before: Tree, after: Tree): Difference =>
  changesBetween(before, after, mergingObjects)

export const faultsOfRemoval = (removed: string[]): Fault[] =>
  removed.map((path) => ({ path, message: 'A value is needed here: an update cannot take it away.' }))
