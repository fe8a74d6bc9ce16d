// Measures how fast a voice is on this machine.
import { frameMs } from '../../../media/frame.ts'
import type { TextSynthesizer } from '../../../ports/synthesizer.ts'

// About the length of a typical utterance.
const sentence = 'Thank you for calling, how can I help you with your booking today?'
// The first loads the engine; the best of the others counts, because the machine may still be busy starting.
const rounds = 3

/** Real-time factor: seconds of work per second of speech. */
export async function measureVoice(
  voice: TextSynthesizer,
  name: string,
  signal: AbortSignal,
): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    const begunMs = performance.now()
    let soundMs = 0
    for await (const _ of voice.synthesize(sentence, { voice: name, rateHz: 24_000 }, signal))
      soundMs += frameMs
    if (round > 0 && soundMs > 0) best = Math.min(best, (performance.now() - begunMs) / soundMs)
  }
  signal.throwIfAborted()
  return best
}
