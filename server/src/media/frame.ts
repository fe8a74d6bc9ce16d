// The unit of audio everywhere: 20 ms of mono 16-bit samples at a known rate.

/** The supported rates: telephone, speech engines, synthesizers, browsers. */
export const rates = [8_000, 16_000, 24_000, 48_000] as const
export type RateHz = (typeof rates)[number]

export interface Frame {
  readonly samples: Int16Array
  readonly rateHz: RateHz
}

// The usual packet length in telephony, and a whole number of samples at every supported rate.
export const frameMs = 20

export const samplesPerFrame = (rateHz: RateHz): number => (rateHz / 1000) * frameMs

export const makeFrame = (rateHz: RateHz): Frame => ({
  samples: new Int16Array(samplesPerFrame(rateHz)),
  rateHz,
})

const silences = new Map(rates.map((rateHz) => [rateHz, makeFrame(rateHz)]))

/** One shared frame per rate: never write into it. */
export const silence = (rateHz: RateHz): Frame => silences.get(rateHz) ?? makeFrame(rateHz)
