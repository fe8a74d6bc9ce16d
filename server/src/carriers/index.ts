// Every carrier of the service.
//
// To add one, say `twilio`:
//   contract/src/carrier.ts                  the name; from here on the compiler asks for the rest
//   server/src/carriers/twilio/index.ts      its description (description.ts): open(), and openDoor() if calls come in by it
//   server/src/carriers/twilio/…             its lines, as ports/line.ts wants them
//   this file                                one line; two more if it needs parts that other carriers do not
//   server/src/carriers/choose-carrier.ts    only if it has numbers of its own, as the sandbox has
// Nothing else names a carrier. server/test/life-of-a-call/third-carrier.test.ts adds one from outside and runs calls over
// it.
import type { CarrierName } from '@parley/contract'
import { type BrowserDoorParts, browser } from './browser/index.ts'
import type { CarrierDescription } from './description.ts'
import { type SandboxParts, sandbox } from './sandbox/index.ts'
import { type SipDoorParts, type SipParts, sip } from './sip/index.ts'

/** What single carriers need besides the parts that every carrier is given (description.ts). */
export type OwnParts = SandboxParts & SipParts
export type OwnDoorParts = BrowserDoorParts & SipDoorParts

export type CarrierDescriptions = Readonly<Record<string, CarrierDescription<string, OwnParts, OwnDoorParts>>>

export const carriers = { sandbox, browser, sip } as const satisfies {
  readonly [Name in CarrierName]: CarrierDescription<Name, OwnParts, OwnDoorParts>
}
