// Speaks a clause with a vendor to keep it.
import { frameMs, samplesPerFrame } from '../../media/frame.ts'
import type { SpokenWord, Synthesizer, SynthesizerOptions } from '../../ports/synthesizer.ts'
import { encodeSpeech } from './speech-file.ts'
import { keptRateHz } from './speech-key.ts'

// Nobody is waiting, but a vendor that says nothing for so long has failed.
const patienceMs = 30_000

/** A file of kept speech. Throws one sentence if the vendor fails, or says nothing. */
export async function speakToKeep(
  engine: Synthesizer,
  clause: string,
  options: Omit<SynthesizerOptions, 'rateHz'>,
  signal: AbortSignal,
): Promise<Buffer> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
  const stream = engine.open({ ...options, rateHz: keptRateHz }, limit)
  stream.write(clause)
  stream.flush()
  stream.finish()
  const frames: Int16Array[] = []
  const words: SpokenWord[] = []
  for await (const event of stream)
    if (event.type === 'frame') frames.push(event.frame.samples)
    else if (event.type === 'words') words.push(...event.words)
  // A stream that is aborted ends without an error: what has come may be half of it.
  if (limit.aborted) throw new Error(`The voice did not come within ${patienceMs / 1000} seconds.`)
  if (frames.length === 0) throw new Error('The voice made no sound.')
  const samples = new Int16Array(frames.length * samplesPerFrame(keptRateHz))
  for (const [place, frame] of frames.entries()) samples.set(frame, place * frame.length)
  return encodeSpeech({ samples, words: words.filter(({ startMs }) => startMs < frames.length * frameMs) })
}
