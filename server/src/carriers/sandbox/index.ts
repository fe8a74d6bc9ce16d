// The sandbox as a carrier: it dials simulated people.
import type { CarrierDescription } from '../description.ts'
import { sandboxAbilities, sandboxCarrier } from './sandbox.ts'

export const sandbox: CarrierDescription<'sandbox'> = {
  name: 'sandbox',
  can: sandboxAbilities,
  open({ ticker, openNoise, engines: { detector, transcriber, synthesizer } }) {
    // Differs from the agent's default voice, so that the two can be told apart.
    return sandboxCarrier({
      ticker,
      detector,
      transcriber,
      synthesizer,
      voice: 'fenrir',
      noise: openNoise,
    })
  },
}
