// The tone that stands in a recording where something must not be heard.

// The tone is audible on every line, and quieter than speech.
const toneHz = 1_000
const amplitude = 4_000

/**
 * Replaces samples by the tone. `place`: the position of the first sample in the recording, so that the tone has no
 * seams.
 */
export function censor(samples: Int16Array, rateHz: number, place: number): void {
  const step = (2 * Math.PI * toneHz) / rateHz
  for (let at = 0; at < samples.length; at++)
    samples[at] = Math.round(amplitude * Math.sin(step * (place + at)))
}
