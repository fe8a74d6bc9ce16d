// The sandbox as a carrier: it dials simulated people.
import type { Frame, RateHz } from '../../media/frame.ts'
import type { TextSynthesizer } from '../../ports/synthesizer.ts'
import type { Transcriber } from '../../ports/transcriber.ts'
import type { VoiceDetector } from '../../ports/voice-detector.ts'
import type { CarrierDescription } from '../description.ts'
import { sandboxAbilities, sandboxCarrier } from './sandbox.ts'

/** What simulated people hear and speak with. */
export interface SandboxParts {
  readonly engines: {
    readonly detector: VoiceDetector
    readonly transcriber: Transcriber
    readonly synthesizer: TextSynthesizer
  }
  /** A track of background noise at a rate, frame by frame. */
  readonly openNoise: (track: string, rateHz: RateHz) => Promise<(frameNumber: number) => Frame>
}

export const sandbox: CarrierDescription<'sandbox', SandboxParts> = {
  name: 'sandbox',
  can: sandboxAbilities,
  open({ ticker, openNoise, engines: { detector, transcriber, synthesizer } }) {
    // Differs from the agent's default voice, so that the two can be told apart.
    const voice = 'fenrir'
    return sandboxCarrier({ ticker, detector, transcriber, synthesizer, voice, noise: openNoise })
  },
}
