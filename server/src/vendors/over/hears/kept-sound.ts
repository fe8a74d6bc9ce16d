// What a transcriber was given since its last final, so that another one can be given the same: frames and what the voice
// detector reported, in order.
import { type Frame, frameMs } from '../../../media/frame.ts'
import type { TranscriptStream } from '../../../ports/transcriber.ts'
import type { VoiceEvent } from '../../../ports/voice-detector.ts'

type HeardVoice = Exclude<VoiceEvent, { type: 'failed' }>

// A long sentence, dictated slowly. What is said without a final for longer is lost from its beginning.
const mostMs = 20_000
// Kept while nobody speaks: a voice begins before the detector notices it.
const quietMs = 1_000

/** Positions count from the first frame ever written. */
export class KeptSound {
  readonly #frames: Frame[] = []
  /** Frames that were let go, for reuse: 50 a second would otherwise be garbage. */
  readonly #spare: Frame[] = []
  #voice: HeardVoice[] = []
  #fromMs = 0
  #speaking: { readonly fromMs: number } | undefined
  #hasDetector = false

  /** The position of the first frame. */
  get fromMs(): number {
    return this.#fromMs
  }

  /** The position of the next frame. */
  get toMs(): number {
    return this.#fromMs + this.#frames.length * frameMs
  }

  /** Where the voice began that is speaking now. */
  get voiceFromMs(): number | undefined {
    return this.#speaking?.fromMs
  }

  /** `isOutstanding`: there are words whose final has not come. */
  write({ samples, rateHz }: Frame, isOutstanding: boolean): void {
    const frame = this.#spare.pop() ?? { samples: new Int16Array(samples.length), rateHz }
    frame.samples.set(samples)
    this.#frames.push(frame)
    const isQuiet = this.#hasDetector && !this.#speaking && !isOutstanding
    this.cutTo(this.toMs - (isQuiet ? quietMs : mostMs))
  }

  hear(event: VoiceEvent): void {
    if (event.type === 'failed') return
    this.#hasDetector = true
    if (event.type === 'speech-start') this.#speaking = { fromMs: event.atMs }
    if (event.type === 'speech-end') this.#speaking = undefined
    this.#voice.push(event)
  }

  /** Lets go of what is before this position. */
  cutTo(positionMs: number): void {
    while (this.#frames.length > 0 && this.#fromMs + frameMs <= positionMs) {
      const frame = this.#frames.shift()
      if (frame && this.#spare.length < mostMs / frameMs) this.#spare.push(frame)
      this.#fromMs += frameMs
    }
    const fromMs = this.#fromMs
    // Old events are removed about once a second: a detector reports thirty times as often.
    if ((this.#voice[0]?.atMs ?? fromMs) < fromMs - quietMs)
      this.#voice = this.#voice.filter(({ atMs }) => atMs >= fromMs)
  }

  /** Gives all of it to a stream, whose own positions count from the position returned. */
  replay(stream: Pick<TranscriptStream, 'write' | 'hear'>): number {
    const startMs = this.#fromMs
    const voice = this.#voice.filter(({ atMs }) => atMs >= startMs)
    // Otherwise an engine that goes by the detector would not notice a voice that had begun before.
    if (this.#speaking && this.#speaking.fromMs < startMs)
      voice.unshift({ type: 'speech-start', atMs: startMs })
    let next = 0
    this.#frames.forEach((frame, n) => {
      stream.write(frame)
      const writtenMs = startMs + (n + 1) * frameMs
      for (let event = voice[next]; event && event.atMs <= writtenMs; event = voice[++next])
        stream.hear?.({ ...event, atMs: event.atMs - startMs })
    })
    return startMs
  }
}
