// SIP as a carrier: telephones and trunks call us, and are called. Signalling is in the main thread, sound in the media thread.
import type { CarrierDescription } from '../description.ts'
import { openSipCarrier } from './carrier.ts'
import { openSipDoor } from './door.ts'
import { sipAbilities } from './line.ts'

export const sip: CarrierDescription<'sip'> = {
  name: 'sip',
  can: sipAbilities,
  open: ({ link, ticker, sip: settings }) =>
    settings ? openSipCarrier({ link, ticker, sip: settings }) : { close() {} },
  openDoor: (parts) => (parts.sip ? openSipDoor({ ...parts, sip: parts.sip }) : { close() {} }),
}
