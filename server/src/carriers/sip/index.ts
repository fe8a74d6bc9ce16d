// SIP as a carrier. Signalling is in the main thread, sound in the media thread.
import type { CarrierDescription } from '../description.ts'
import { openSipDoor, type SipDoorParts } from './door/door.ts'
import { openSipCarrier, type SipParts } from './line/carrier.ts'
import { sipAbilities } from './line/line.ts'

export type { SipDoorParts, SipParts }

export const sip: CarrierDescription<'sip', SipParts, SipDoorParts> = {
  name: 'sip',
  can: sipAbilities,
  open: ({ link, ticker, sip: settings }) =>
    settings ? openSipCarrier({ link, ticker, sip: settings }) : { close() {} },
  openDoor: (parts) => (parts.sip ? openSipDoor({ ...parts, sip: parts.sip }) : { close() {} }),
}
