// Has the sentences of an agent spoken ahead by the vendor, and with the account, that its calls would use.
import { clausesOf } from '../../call/think/clauses.ts'
import type { Config } from '../../platform/config.ts'
import { openUserGuard } from '../../platform/guard/guard.ts'
import type { CallPlan, SynthesizerPlan } from '../../ports/call-plan.ts'
import type { TtsVendor } from '../../ports/vendor.ts'
import { ttsVendors } from '../../vendors/index.ts'
import { vendorAccounts } from '../vendor-accounts.ts'
import { keepSentences, type SpeechToKeep } from './keep-speech.ts'

export interface SpeechAhead extends Pick<SpeechToKeep, 'known' | 'put'> {
  readonly plan: SynthesizerPlan
  /** Those of its workspace. */
  readonly accounts: CallPlan['accounts']
}

export interface AheadSpeaker {
  /** Nothing is spoken for an agent whose voice is no vendor's. */
  speak(speech: SpeechAhead, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

export function openAheadSpeaker(
  config: Pick<Config, 'vendorAccounts' | 'trustedHosts'>,
  vendors: Readonly<Record<string, TtsVendor>> = ttsVendors,
): AheadSpeaker {
  const guard = openUserGuard(config)
  return {
    async speak({ plan, accounts, known, put }, signal) {
      const asked = plan.asked ?? ''
      const vendor = vendors[asked]
      const account = vendorAccounts({ accounts }, { accounts: config.vendorAccounts, guard }, vendors)[asked]
      if (vendor && account)
        await keepSentences({ plan, vendor, account, cut: clausesOf, known, put }, signal)
    },
    close: () => guard.close(),
  }
}
