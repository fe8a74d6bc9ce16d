// Collects the output of a synthesizer.
import type { Frame } from '../../../src/media/frame.ts'
import type { SynthesizerOptions, TextSynthesizer } from '../../../src/ports/synthesizer.ts'

const never = new AbortController().signal

export async function said(
  voice: TextSynthesizer,
  text: string,
  options: SynthesizerOptions,
): Promise<Frame[]> {
  const frames: Frame[] = []
  for await (const frame of voice.synthesize(text, options, never)) frames.push(frame)
  return frames
}

export function joined(frames: readonly Frame[]): Int16Array {
  const size = frames[0]?.samples.length ?? 0
  const samples = new Int16Array(frames.length * size)
  frames.forEach((frame, place) => {
    samples.set(frame.samples, place * size)
  })
  return samples
}
