// Warms up engines: their first use takes seconds, which no call should wait for.
import { frameMs, silence } from '../media/frame.ts'
import type { TextSynthesizer } from '../ports/synthesizer.ts'
import type { VoiceDetector } from '../ports/voice-detector.ts'

const rateHz = 8_000
// The detector's window is longer than a frame.
const heardMs = 100

export function warmDetector(detector: VoiceDetector): Promise<void> {
  return new Promise((done, fail) => {
    const stream = detector.open(rateHz, (event) => {
      stream.close()
      if (event.type === 'failed') fail(new Error(event.reason))
      else done()
    })
    for (let ms = 0; ms < heardMs; ms += frameMs) stream.write(silence(rateHz))
  })
}

export async function warmTranscriber(transcriber: {
  transcribe(samples16k: Int16Array): Promise<unknown>
}): Promise<void> {
  await transcriber.transcribe(new Int16Array(16_000))
}

export async function warmVoice(voice: TextSynthesizer, name: string, signal: AbortSignal): Promise<void> {
  for await (const _ of voice.synthesize('Hello.', { voice: name, rateHz }, signal));
}
