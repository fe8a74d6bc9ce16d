// What Pixa has besides what agents ask of every vendor, as its public client in bolna-ai/bolna sends it, as of 2026-11.
import { between, ownOptions, parleySets } from '../over/own-options.ts'

export const hearsOptions = ownOptions({}, { sample_rate: parleySets })

export const speaksOptions = ownOptions({
  config: {
    top_p: between(0, 1, 'the share of probability to choose from; 0.95 unless given'),
    repetition_penalty: between(1, 2, 'against sounds that repeat; 1.3 unless given'),
  },
})
