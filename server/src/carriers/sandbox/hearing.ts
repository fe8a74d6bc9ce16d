// What the callee hears: when the agent speaks and, where the script needs them, its words.
import type { Frame, RateHz } from '../../media/frame.ts'
import type { Transcriber, TranscriptStream } from '../../ports/transcriber.ts'
import type { VoiceDetector, VoiceEvent } from '../../ports/voice-detector.ts'
import type { CalleeEvent } from './script.ts'

export interface CalleeHearingParts {
  readonly rateHz: RateHz
  readonly detector: VoiceDetector
  /** Null: the script does not depend on words. */
  readonly transcriber: Transcriber | null
  readonly signal: AbortSignal
  readonly onHeard: (event: CalleeEvent) => void
  readonly onFailure: (error: unknown) => void
}

export interface CalleeHearing {
  hear(frame: Frame): void
  close(): void
}

// The callee decides by itself when the agent has finished; this only makes the words arrive soon.
const endpointingMs = 400

export function openHearing({
  rateHz,
  detector,
  transcriber,
  signal,
  onHeard,
  onFailure,
}: CalleeHearingParts): CalleeHearing {
  const words = transcriber?.open({ model: 'default', rateHz, endpointingMs }, signal)
  if (words) gather(words, onHeard).catch(onFailure)
  const voice = detector.open(rateHz, (event: VoiceEvent) => {
    words?.hear?.(event)
    if (event.type === 'speech-start') onHeard({ type: 'agent-starts' })
    else if (event.type === 'speech-end') onHeard({ type: 'agent-stops' })
    else if (event.type === 'failed') onFailure(new Error(event.reason))
  })
  return {
    hear(frame) {
      words?.write(frame)
      voice.write(frame)
    },
    close: () => voice.close(),
  }
}

async function gather(words: TranscriptStream, onHeard: CalleeHearingParts['onHeard']): Promise<void> {
  for await (const event of words) {
    if (event.type === 'final') onHeard({ type: 'agent-words', text: event.text })
  }
}
