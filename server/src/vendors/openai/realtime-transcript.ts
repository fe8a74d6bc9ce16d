// The hearing half: sound goes to the model from the beginning of a voice to the end of a turn, and its words come back.
import { type Frame, frameMs, type RateHz, samplesPerFrame } from '../../media/frame.ts'
import { Resampler } from '../../media/resample.ts'
import type { TranscriptEvent, TranscriptStream } from '../../ports/transcriber.ts'
import type { VoiceEvent } from '../../ports/voice-detector.ts'
import { EventQueue } from '../over/wire/event-queue.ts'
import { account } from './account.ts'
import { type OpenAiMessage, wireRateHz } from './realtime-session.ts'
import { transcribed } from './server-events.ts'

// A voice is noticed after it has begun; what was said before that is sent too.
const leadFrames = 600 / frameMs

// Vendors need less than a second for the words of a turn.
const patienceMs = 4_000

export interface EarsLink {
  send(type: string, body?: object): void
  /** What the caller has said so far is one item from now on. */
  onCommit(): void
  /** The words of it do not come. */
  onSilence(error: Error): void
}

export class OpenAiEars implements TranscriptStream {
  readonly #link: EarsLink
  readonly #events = new EventQueue<TranscriptEvent>()
  readonly #resampler: Resampler
  readonly #lead: string[] = []
  readonly #partials = new Map<string, string>()
  #isHearing = false
  #timer: NodeJS.Timeout | undefined

  constructor(link: EarsLink, rateHz: RateHz) {
    this.#link = link
    this.#resampler = new Resampler(rateHz, wireRateHz)
  }

  /** Whether the caller speaks, or words of theirs are still to come. */
  get isBusy(): boolean {
    return this.#isHearing || this.#timer !== undefined
  }

  write(frame: Frame): void {
    const samples = new Int16Array(samplesPerFrame(wireRateHz))
    this.#resampler.run(frame.samples, samples)
    const audio = Buffer.from(samples.buffer).toString('base64')
    if (this.#isHearing) this.#append(audio)
    else {
      this.#lead.push(audio)
      if (this.#lead.length > leadFrames) this.#lead.shift()
    }
  }

  hear(event: VoiceEvent): void {
    if (event.type !== 'speech-start' || this.#isHearing) return
    this.#isHearing = true
    for (const audio of this.#lead.splice(0)) this.#append(audio)
  }

  /** The turn may be over: the model gets what was said so far as one item, and the words of it are due. */
  finalize(): void {
    if (!this.#isHearing) return
    this.#isHearing = false
    this.#link.send('input_audio_buffer.commit')
    this.#link.onCommit()
    const late = new Error(`${account.label} did not say what it had heard for ${patienceMs / 1_000} s.`)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#link.onSilence(late), patienceMs).unref()
  }

  finish(): void {
    this.#answered()
    this.#events.end()
  }

  take({ type, item_id: id = '', delta = '', transcript = '', error }: OpenAiMessage): void {
    if (type === `${transcribed}.delta`) {
      const text = (this.#partials.get(id) ?? '') + delta
      this.#partials.set(id, text)
      if (text.trim()) this.#events.push({ type: 'partial', text: text.trim() })
    } else if (type === `${transcribed}.completed`) {
      this.#answered()
      this.#partials.delete(id)
      this.#events.push({ type: 'final', text: transcript.trim() })
    } else if (type === `${transcribed}.failed` || error?.code === 'input_audio_buffer_commit_empty') {
      this.#answered()
      this.#events.push({ type: 'final', text: '' })
    }
  }

  fail(error: Error): void {
    this.#answered()
    this.#events.fail(error)
  }

  [Symbol.asyncIterator](): AsyncIterator<TranscriptEvent> {
    return this.#events[Symbol.asyncIterator]()
  }

  #answered(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #append(audio: string): void {
    this.#link.send('input_audio_buffer.append', { audio })
  }
}
