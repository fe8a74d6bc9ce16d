// A simulated person on an answered line: hearing, script, playback and background, driven by ticks.
import { type Frame, frameMs, makeFrame, type RateHz } from '../../media/frame.ts'
import { applyGain, gainOf, mixInto } from '../../media/mix.ts'
import type { TextSynthesizer } from '../../ports/synthesizer.ts'
import type { Transcriber, TranscriptStream } from '../../ports/transcriber.ts'
import type { VoiceDetector, VoiceEvent, VoiceStream } from '../../ports/voice-detector.ts'
import type { SimulatedCodec } from './codec.ts'
import { CalleePlayback } from './playback.ts'
import {
  begin,
  type CalleeAct,
  type CalleeEvent,
  follow,
  listensToWords,
  type ScriptState,
} from './script.ts'
import type { Script } from './script-schema.ts'
import type { MakeSound } from './sounds.ts'

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
// The callee decides by itself when the agent has finished; this only makes the words arrive soon.
const endpointingMs = 400

export class Callee {
  readonly #script: Script
  readonly #listener: CalleeListener
  readonly #life = new AbortController()
  /** Undefined: the script does not depend on words. */
  readonly #words: TranscriptStream | undefined
  readonly #voice: VoiceStream
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
    if (listensToWords(script)) {
      this.#words = parts.transcriber.open({ model: 'default', rateHz, endpointingMs }, signal)
      this.#gather(this.#words).catch(onFailure)
    }
    this.#voice = detector.open(rateHz, (event) => this.#hearVoice(event))
    this.#echo = script.echo ? new Echo(script.echo.delayMs, script.echo.levelDb, rateHz) : undefined
    if (this.#echo) this.#around.push(this.#echo)
    if (script.noise) this.#addNoise(script.noise, parts).catch(onFailure)
    const move = begin(script, nowMs)
    this.#conversation = move.next
    for (const act of move.acts) this.#do(act)
  }

  /** A digit sent by the agent. */
  press(digit: string): void {
    this.#handle({ type: 'digit', digit })
  }

  hear(frame: Frame): void {
    this.#echo?.hear(frame)
    this.#words?.write(frame)
    this.#voice.write(frame)
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
    this.#voice.close()
  }

  #handle(event: CalleeEvent): void {
    if (this.#life.signal.aborted) return
    const { next, acts } = follow(this.#script, this.#conversation, event, this.#nowMs)
    this.#conversation = next
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

  #hearVoice(event: VoiceEvent): void {
    this.#words?.hear?.(event)
    if (event.type === 'speech-start') this.#handle({ type: 'agent-starts' })
    else if (event.type === 'speech-end') this.#handle({ type: 'agent-stops' })
    else if (event.type === 'failed') this.#fail(new Error(event.reason))
  }

  async #gather(words: TranscriptStream): Promise<void> {
    for await (const event of words)
      if (event.type === 'final') this.#handle({ type: 'agent-words', text: event.text })
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

// What is on the line besides the callee's voice: background noise, and the agent's own audio as an echo.

/** An endless sound, by frame number. */
type Noise = (frameNumber: number) => Frame

interface Background {
  /** Adds its next 20 ms. */
  addTo(samples: Int16Array): void
}

/** The frames are shared, so they are copied before their level is changed. */
function noiseAround(noise: Noise, gainDb: number, rateHz: RateHz): Background {
  const gain = gainOf(gainDb)
  const { samples: loud } = makeFrame(rateHz)
  let number = 0
  return {
    addTo(samples) {
      loud.set(noise(number++).samples)
      applyGain(loud, gain)
      mixInto(samples, loud)
    },
  }
}

/** What the agent sent comes back delayed and attenuated, in whole frames. */
class Echo implements Background {
  readonly #ring: readonly Int16Array[]
  readonly #gain: number
  #written = 0
  #read = 0

  constructor(delayMs: number, levelDb: number, rateHz: RateHz) {
    const delayFrames = Math.max(1, Math.round(delayMs / frameMs))
    this.#ring = Array.from({ length: delayFrames + 1 }, () => makeFrame(rateHz).samples)
    this.#gain = gainOf(levelDb)
  }

  /** Takes a copy of the frame. */
  hear({ samples }: Frame): void {
    const slot = this.#ring[this.#written++ % this.#ring.length]
    slot?.set(samples)
    if (slot) applyGain(slot, this.#gain)
    this.#read = Math.max(this.#read, this.#written - this.#ring.length)
  }

  addTo(samples: Int16Array): void {
    if (this.#written - this.#read < this.#ring.length) return
    const slot = this.#ring[this.#read++ % this.#ring.length]
    if (slot) mixInto(samples, slot)
  }
}
