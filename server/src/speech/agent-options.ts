// Judges the options of vendors' own that an agent gives, when it is saved and can still be changed. Calls read them by the
// same lists (own-options.ts).
import type { OptionOwner, OptionProblem, OptionsPart, OptionsQuestion } from '../ports/own-options.ts'
import { sttVendors, ttsVendors } from '../vendors/index.ts'
import { offlineOwner, readOwnOptions } from './own-options.ts'

const owners: Readonly<Record<OptionsPart, Readonly<Record<string, OptionOwner>>>> = {
  synthesizer: ttsVendors,
  transcriber: sttVendors,
}

export function judgeOptions({ part, asked, config, wish }: OptionsQuestion): readonly OptionProblem[] {
  // An update takes any name of a vendor; one without an owner is judged by the call.
  const isKnown = asked !== null && Object.hasOwn(owners[part], asked)
  const owner = asked === null ? offlineOwner(part) : isKnown ? owners[part][asked] : undefined
  return owner ? readOwnOptions(part, owner, config, wish).problems : []
}
