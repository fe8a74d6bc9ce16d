// Flite in its thread: a sentence in, its sound at the rate of the line out.
import { readFile } from 'node:fs/promises'
import { type RateHz, samplesPerFrame } from '../../../media/frame.ts'
import { Resampler } from '../../../media/resample.ts'
import { parseWav } from '../../../media/wav-parse.ts'
import { serve } from '../engine/serve.ts'
import { cutToVoice } from './cut-to-voice.ts'
import { type FliteVoice, voiceGain } from './voices.ts'
import { runInMemory } from './wasi-in-memory.ts'

export interface FlitePaths {
  readonly program: string
}

export interface Sentence {
  readonly text: string
  readonly voice: FliteVoice
  readonly rateHz: RateHz
}

/** A whole number of frames. */
export type Sound = Int16Array<ArrayBuffer>

const fliteHz = 16_000

serve<FlitePaths, Sentence, Sound>(async ({ program }) => {
  const flite = await WebAssembly.compile(await readFile(program))
  return {
    answer({ text, voice, rateHz }) {
      const wav = runInMemory(flite, ['flite', '-voice', voice, '-t', text, '-o', '/speech.wav'])
      const samples = wav.length === 0 ? undefined : parseWav(wav).channels[0]
      if (!samples) return new Int16Array()
      const gain = voiceGain[voice]
      for (let i = 0; i < samples.length; i++) samples[i] = (samples[i] as number) * gain
      return atRate(cutToVoice(samples, fliteHz), rateHz)
    },
    moved: (sound) => [sound.buffer],
    release() {},
  }
})

function atRate(samples: Int16Array, rateHz: RateHz): Sound {
  const fromSize = samplesPerFrame(fliteHz)
  const toSize = samplesPerFrame(rateHz)
  const frames = Math.ceil(samples.length / fromSize)
  const padded = new Int16Array(frames * fromSize)
  padded.set(samples)
  if (rateHz === fliteHz) return padded
  const resampler = new Resampler(fliteHz, rateHz)
  const output = new Int16Array(frames * toSize)
  for (let i = 0; i < frames; i++) {
    resampler.run(
      padded.subarray(i * fromSize, (i + 1) * fromSize),
      output.subarray(i * toSize, (i + 1) * toSize),
    )
  }
  return output
}
