// Reads a call's recording: the caller on the left, the agent on the right.
import { type RateHz, rates } from '../../../src/media/frame.ts'
import { parseWav } from '../../../src/media/wav-parse.ts'

export interface Recording {
  readonly rateHz: RateHz
  readonly caller: Int16Array
  readonly agent: Int16Array
}

export function readRecording(wav: Uint8Array): Recording {
  const { rateHz, channels } = parseWav(wav)
  const [caller, agent] = channels
  const known = rates.find((rate) => rate === rateHz)
  if (!known || !caller || !agent)
    throw new Error(
      `a recording is stereo at a rate that we carry, not ${channels.length} channels at ${rateHz} Hz`,
    )
  return { rateHz: known, caller, agent }
}

/** An interval of sound, in ms from the answer. */
export interface Interval {
  readonly fromMs: number
  readonly toMs: number
}
