// Every carrier of the service.
//
// To add one, say `twilio`:
//   contract/src/carrier.ts                      the name; from here on the compiler asks for the rest
//   server/src/carriers/twilio/index.ts    its description (description.ts): open(), and openDoor() if calls come in by it
//   server/src/carriers/twilio/…           its lines, as ports/line.ts wants them
//   this file                                    one line
//   server/src/carriers/choose-carrier.ts   when it dials: which numbers are its own
// Nothing else names a carrier. server/test/life-of-a-call/third-carrier.test.ts adds one from outside and runs calls over it.
import type { CarrierName } from '@parley/contract'
import { browser } from './browser/index.ts'
import type { CarrierDescription } from './description.ts'
import { sandbox } from './sandbox/index.ts'
import { sip } from './sip/index.ts'

export const carriers = { sandbox, browser, sip } as const satisfies {
  readonly [Name in CarrierName]: CarrierDescription<Name>
}
