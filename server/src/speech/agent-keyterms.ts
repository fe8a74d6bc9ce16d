// Says which keywords of an agent its transcriber is not given, when the agent is saved. Calls leave out the same ones.
import type { JudgeKeyterms } from '../ports/agent-keyterms.ts'
import type { SttVendor } from '../ports/vendor.ts'
import { sttVendors } from '../vendors/index.ts'
import { leftOutKeyterms } from '../vendors/over/hears/keyterms.ts'

export const judgeKeyterms: JudgeKeyterms = (transcriber, keyterms) => {
  const vendors = new Map<string, SttVendor>(Object.entries(sttVendors))
  const vendor = vendors.get(transcriber)
  if (!vendor || keyterms.length === 0) return undefined
  const { label, abilities } = vendor
  return abilities.keyterms
    ? leftOutKeyterms(label, abilities, keyterms)
    : `${label} takes no keywords; they are left out.`
}
