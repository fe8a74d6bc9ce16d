// Which carrier dials a number. Pure: the settings, and later the trunks of a workspace, are arguments.
import type { CarrierName } from '@parley/contract'
import type { Config } from '../../platform/config.ts'
import type { ChooseCarrier, DialDecision } from '../../ports/choose-carrier.ts'
import { isSandboxNumber, sandboxPrefix } from './sandbox/numbers.ts'

const sandbox: CarrierName = 'sandbox'

/** `simulated` says which numbers the sandbox takes. Without a trunk, all others are refused. */
export const carrierChooser =
  (simulated: Config['sandbox']): ChooseCarrier =>
  ({ to, provider }) => {
    if (simulated === 'all' || (simulated === 'numbers' && isSandboxNumber(to ?? '')))
      return { is: 'dialled', by: sandbox }
    // It may have waited for hours. No telephone rings because a setting was changed meanwhile.
    if (provider === sandbox) return refused(noLongerSimulated)
    return refused(noLine[simulated])
  }

const refused = (reason: string): DialDecision => ({ is: 'refused', reason })

const noLongerSimulated =
  'This call was created for the sandbox, which does not simulate this number any more; see PARLEY_SANDBOX.'

const noLine = {
  numbers: `No telephone line is configured, so only the numbers of the sandbox can be called, which begin with ${sandboxPrefix}. To simulate every number, set PARLEY_SANDBOX=all.`,
  off: 'No telephone line is configured, and the sandbox is off. To simulate calls, set PARLEY_SANDBOX to numbers or all.',
} as const
