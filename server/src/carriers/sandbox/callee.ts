// A simulated person on an answered line: hearing, script, playback and background, driven by ticks.

import { type Frame, makeFrame, type RateHz } from '../../media/frame.ts'
import type { TextSynthesizer } from '../../ports/synthesizer.ts'
import type { Transcriber, TranscriptStream } from '../../ports/transcriber.ts'
import type { VoiceDetector, VoiceEvent } from '../../ports/voice-detector.ts'
import type { SimulatedCodec } from './codec.ts'
import { CalleePlayback } from './playback.ts'
import {
  begin,
  type CalleeAct,
  type CalleeEvent,
  follow,
  listensToWords,
  type ScriptMove,
  type ScriptState,
} from './script.ts'
import type { Script } from './script-schema.ts'
import type { MakeSound } from './sounds.ts'
import { type Background, Echo, type Noise, noiseAround } from './surroundings.ts'

export interface CalleeParts {
  readonly rateHz: RateHz
  readonly synthesizer: TextSynthesizer
  readonly transcriber: Transcriber
  readonly detector: VoiceDetector
  readonly voice: string
  readonly sounds: Readonly<Record<string, MakeSound>>
  /** Opens a noise track by name. */
  readonly noise: (track: string, rateHz: RateHz) => Promise<Noise>
}

export interface CalleeListener {
  onHold(held: boolean): void
  onCodec(codec: SimulatedCodec): void
  /** Lent until it returns. */
  onFrame(frame: Frame): void
  onDigit(digit: string): void
  onHangUp(): void
  /** The callee can no longer hear or speak. */
  onFailure(reason: string): void
}

// The level at which noise tracks are rendered.
const trackDb = -35

export class Callee {
  readonly #script: Script
  readonly #listener: CalleeListener
  readonly #life = new AbortController()
  readonly #hearing: CalleeHearing
  readonly #playback: CalleePlayback
  readonly #frame: Frame
  readonly #echo: Echo | undefined
  readonly #around: Background[] = []
  #conversation: ScriptState
  #nowMs: number

  constructor(script: Script, parts: CalleeParts, listener: CalleeListener, nowMs: number) {
    const { rateHz, synthesizer, sounds, detector } = parts
    const signal = this.#life.signal
    const onFailure = (error: unknown) => this.#fail(error)
    this.#script = script
    this.#listener = listener
    this.#nowMs = nowMs
    this.#frame = makeFrame(rateHz)
    this.#playback = new CalleePlayback({
      rateHz,
      synthesizer,
      sounds,
      signal,
      onFailure,
      voice: script.voice ?? parts.voice,
      onKey: (key) => listener.onDigit(key),
    })
    this.#hearing = openHearing({
      rateHz,
      detector,
      signal,
      onFailure,
      transcriber: listensToWords(script) ? parts.transcriber : null,
      onHeard: (event) => this.#handle(event),
    })
    this.#echo = script.echo ? new Echo(script.echo.delayMs, script.echo.levelDb, rateHz) : undefined
    if (this.#echo) this.#around.push(this.#echo)
    if (script.noise) this.#addNoise(script.noise, parts).catch(onFailure)
    const { next, acts } = begin(script, nowMs)
    this.#conversation = next
    this.#perform(acts)
  }

  /** A digit sent by the agent. */
  press(digit: string): void {
    this.#handle({ type: 'digit', digit })
  }

  hear(frame: Frame): void {
    this.#echo?.hear(frame)
    this.#hearing.hear(frame)
  }

  tick(nowMs: number): void {
    this.#nowMs = nowMs
    const { samples } = this.#frame
    if (this.#playback.fill(samples)) this.#handle({ type: 'finished' })
    this.#handle({ type: 'tick' })
    if (this.#life.signal.aborted) return
    for (const surrounding of this.#around) surrounding.addTo(samples)
    this.#listener.onFrame(this.#frame)
  }

  /** No more events reach the listener. */
  leave(): void {
    if (this.#life.signal.aborted) return
    this.#life.abort()
    this.#playback.close()
    this.#hearing.close()
  }

  #handle(event: CalleeEvent): void {
    if (this.#life.signal.aborted) return
    const { next, acts } = follow(this.#script, this.#conversation, event, this.#nowMs)
    this.#conversation = next
    this.#perform(acts)
  }

  #perform(acts: ScriptMove['acts']): void {
    for (const act of acts) this.#do(act)
  }

  #do(act: CalleeAct): void {
    if (act.do === 'hang-up') {
      this.leave()
      this.#listener.onHangUp()
    } else if (act.do === 'switch-codec') this.#listener.onCodec(act.codec)
    else if (act.do === 'resume') this.#listener.onHold(false)
    else {
      if (act.do === 'hold') this.#listener.onHold(true)
      this.#playback.perform(act)
    }
  }

  async #addNoise({ track, levelDb }: NonNullable<Script['noise']>, { noise, rateHz }: CalleeParts) {
    this.#around.push(noiseAround(await noise(track, rateHz), levelDb - trackDb, rateHz))
  }

  #fail(error: unknown): void {
    if (this.#life.signal.aborted) return
    this.leave()
    this.#listener.onFailure(error instanceof Error ? error.message : String(error))
  }
}

/** What the callee hears: when the agent speaks and, where the script needs them, its words. */
interface CalleeHearingParts {
  readonly rateHz: RateHz
  readonly detector: VoiceDetector
  /** Null: the script does not depend on words. */
  readonly transcriber: Transcriber | null
  readonly signal: AbortSignal
  readonly onHeard: (event: CalleeEvent) => void
  readonly onFailure: (error: unknown) => void
}

interface CalleeHearing {
  hear(frame: Frame): void
  close(): void
}

// The callee decides by itself when the agent has finished; this only makes the words arrive soon.
const endpointingMs = 400

function openHearing({
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
