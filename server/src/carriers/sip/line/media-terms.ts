// What a call may offer: the codecs and the encryption of its trunk, or ours where there is none.
import type { Trunk } from '../../../ports/trunk.ts'
import { type CodecName, codecs } from '../sound/codecs.ts'
import type { MediaTerms } from './link.ts'

/** Wide band first: most telephones on a local network have it, and trunks name their own. */
const preferred: readonly CodecName[] = ['opus', 'G722', 'PCMU', 'PCMA']
const available = preferred.filter((name) => codecs[name])

/** `trunk` is null for a telephone that calls an agent directly. */
export function termsFor(trunk: Trunk | null, address: string): MediaTerms {
  const wanted = (trunk?.codecs ?? []).flatMap(
    (name) => available.find((one) => one.toUpperCase() === name.toUpperCase()) ?? [],
  )
  return {
    address,
    codecs: wanted.length > 0 ? wanted : available,
    srtp: trunk?.srtp ?? 'optional',
    symmetricRtp: trunk?.symmetricRtp ?? true,
  }
}
