// The melody at the end of a sentence. The networks speak nearly all sentences with a falling end, as their teacher does;
// pitch and phase are inputs of the second network, so the end can be bent before anything is decoded.
import { wrenFramesPerSecond } from './wren-frames.ts'

/** The melody of an end. `rises`: a question for yes or no. `goes-on`: more follows, so the end stays up. */
export type Intonation = 'falls' | 'goes-on' | 'rises'

// The pitch of the last 150 ms, in semitones above the pitch of the sentence.
const endSemitones = { 'goes-on': -1.5, rises: 5 } as const
// The bend takes the last 400 ms with a voice, and is complete before the last 100 ms.
const bendFrames = 32
const settledFrames = 8
const endFrames = 12
/** Below this pitch the networks mean "no voice". */
const lowestVoiceHz = 70

// Questions with these words ask for more than yes or no, and fall like statements.
const openQuestion =
  /^(?:and |but |so |okay |well |now )?(?:who|whom|whose|what|when|where|why|which|how)(?:'s|'re|'d|'ll)?\b/i

export function endingOf(text: string): Intonation {
  const end = text.trimEnd()
  if (/\?["')\]]*$/.test(end)) return openQuestion.test(end) ? 'falls' : 'rises'
  return /[,;:]["')\]]*$/.test(end) ? 'goes-on' : 'falls'
}

/** Bends the end, changing both arrays in place. An end that is high enough by itself stays as it is. */
export function bendEnd(f0: Float32Array, phase: Float32Array, ending: Intonation): void {
  if (ending === 'falls') return
  const voiced = [...f0.keys()].filter((frame) => (f0[frame] as number) > lowestVoiceHz)
  const last = voiced.at(-1)
  if (last === undefined) return
  const pitchOf = (frames: readonly number[]) => median(frames.map((frame) => f0[frame] as number))
  const natural = 12 * Math.log2(pitchOf(voiced.slice(-endFrames)) / pitchOf(voiced))
  const semitones = endSemitones[ending] - natural
  if (semitones <= 0) return
  const first = Math.max(1, last - bendFrames)
  for (let frame = first; frame < f0.length; frame++) {
    const share = Math.min(1, (frame - first) / Math.max(1, last - first - settledFrames))
    const hz = f0[frame] as number
    if (hz > lowestVoiceHz) f0[frame] = hz * 2 ** ((semitones * share) / 12)
    // The phase is the sum of the pitch: a jump in it would be a click.
    phase[frame] = ((phase[frame - 1] as number) + (f0[frame] as number) / wrenFramesPerSecond) % 1
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 1
