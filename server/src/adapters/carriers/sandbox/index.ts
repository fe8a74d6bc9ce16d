// The sandbox as a carrier: it dials simulated people.
import { openAmbience } from '../../ambience.ts'
import type { CarrierDescription } from '../description.ts'
import { sandboxAbilities, sandboxCarrier } from './sandbox.ts'

export const sandbox: CarrierDescription<'sandbox'> = {
  name: 'sandbox',
  can: sandboxAbilities,
  open({ ticker, engines: { detector, transcriber, synthesizer } }) {
    // The agent's own voice is another, unless it asks for this one.
    return sandboxCarrier({ ticker, detector, transcriber, synthesizer, voice: 'rms', noise: openAmbience })
  },
}
