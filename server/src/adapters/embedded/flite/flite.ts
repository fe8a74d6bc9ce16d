// Text to speech by flite: English, instant, robotic; one thread for all calls.
import { type Frame, frameMs, makeFrame, samplesPerFrame } from '../../../media/frame.ts'
import type { Synthesizer, SynthesizerOptions } from '../../../ports/synthesizer.ts'
import { EngineThread } from '../engine/engine-thread.ts'
import { flite as model } from '../models/catalogue.ts'
import { fetchModel, type ModelCache } from '../models/fetch-model.ts'
import type { FlitePaths, Sentence, Sound } from './flite-worker.ts'
import { sentencesOf } from './sentences.ts'
import { fliteVoice } from './voices.ts'

export interface FliteSynthesizer extends Synthesizer {
  close(): Promise<void>
}

// A sentence takes about a tenth of a second: the last in the queue is heard after three.
const queueLength = 32
// What a reader leaves between two sentences.
const pauseMs = 240

export function fliteSynthesizer(options: ModelCache): FliteSynthesizer {
  const thread = new EngineThread<FlitePaths, Sentence, Sound>({
    name: 'the speech synthesizer',
    file: new URL('./flite-worker.ts', import.meta.url),
    prepare: (signal) => fetchModel(model, { ...options, signal }),
    queueLength,
  })

  async function* speak(
    text: string,
    { voice, rateHz }: SynthesizerOptions,
    signal: AbortSignal,
  ): AsyncGenerator<Frame> {
    const left = new AbortController()
    const until = AbortSignal.any([signal, left.signal])
    const make = (sentence: string | undefined) => {
      if (sentence === undefined) return undefined
      const sound = thread.ask({ text: sentence, voice: fliteVoice(voice), rateHz }, { signal: until })
      // It may be made in vain; whoever awaits it meets the error.
      sound.catch(() => {})
      return sound
    }
    const sentences = sentencesOf(text)
    try {
      let next = make(sentences[0])
      for (const place of sentences.keys()) {
        const sound = await next
        // While this one is heard the next is made, and no more than that: the speaker may be interrupted.
        next = make(sentences[place + 1])
        if (place > 0) for (let ms = 0; ms < pauseMs; ms += frameMs) yield makeFrame(rateHz)
        for (const samples of cut(sound ?? new Int16Array(), samplesPerFrame(rateHz))) {
          if (signal.aborted) return
          yield { samples, rateHz }
        }
      }
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      left.abort()
    }
  }

  return { synthesize: speak, close: () => thread.close() }
}

function* cut(sound: Int16Array, size: number): Generator<Int16Array> {
  for (let at = 0; at < sound.length; at += size) yield sound.slice(at, at + size)
}
