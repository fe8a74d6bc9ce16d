// Which carrier dials a number. Pure: the settings and the number that the call goes out from are arguments.
import type { CarrierName } from '@parley/contract'
import type { Config } from '../platform/config.ts'
import type { ChooseCarrier, DialDecision } from '../ports/choose-carrier.ts'
import { isSandboxNumber, sandboxPrefix } from './sandbox/numbers.ts'

const sandbox: CarrierName = 'sandbox'

/** `simulated` says which numbers the sandbox takes. All others go out from a number of ours, by its provider. */
export const carrierChooser =
  (simulated: Config['sandbox']): ChooseCarrier =>
  ({ to, number, provider }) => {
    if (simulated === 'all' || (simulated === 'numbers' && isSandboxNumber(to ?? '')))
      return { is: 'dialled', by: sandbox }
    // The call may have waited for hours. No telephone rings because a setting was changed meanwhile.
    if (provider === sandbox) return refused(noLongerSimulated)
    if (number && number.provider !== sandbox) return { is: 'dialled', by: number.provider }
    if (number) return refused(sandboxNumber)
    return refused(provider === null ? noLine[simulated] : numberIsGone)
  }

const refused = (reason: string): DialDecision => ({ is: 'refused', reason })

const noLongerSimulated =
  'This call was created for the sandbox, which does not simulate this number any more; see PARLEY_SANDBOX.'

const sandboxNumber =
  'The number to call from belongs to the sandbox, which does not simulate this number. Call from a number with a SIP trunk, or set PARLEY_SANDBOX=all.'

const numberIsGone = 'The telephone number that this call was to go out from does not exist any more.'

const noLine = {
  numbers: `This workspace has no telephone number to call from, so only the numbers of the sandbox can be called, which begin with ${sandboxPrefix}. Store a number and its trunk with POST /phone-numbers, or set PARLEY_SANDBOX=all to simulate every number.`,
  off: 'This workspace has no telephone number to call from, and the sandbox is off. Store a number and its trunk with POST /phone-numbers, or set PARLEY_SANDBOX to numbers or all to simulate calls.',
} as const
