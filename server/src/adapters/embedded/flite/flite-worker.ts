// The flite worker: a sentence in, audio at the line's rate out.
import { readFile } from 'node:fs/promises'
import type { RateHz } from '../../../media/frame.ts'
import { parseWav } from '../../../media/wav-parse.ts'
import { serve } from '../engine/serve.ts'
import { atRate, cutToVoice, type Sound } from '../voice/sound.ts'
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

const fliteHz = 16_000

serve<FlitePaths, Sentence, Sound>(async ({ program }) => {
  const flite = await WebAssembly.compile(await readFile(program))
  return {
    answer({ text, voice, rateHz }) {
      const { file: wav } = runInMemory(flite, ['flite', '-voice', voice, '-t', text, '-o', '/speech.wav'])
      const samples = wav.length === 0 ? undefined : parseWav(wav).channels[0]
      if (!samples) return new Int16Array()
      const gain = voiceGain[voice]
      for (let i = 0; i < samples.length; i++) samples[i] = (samples[i] as number) * gain
      return atRate(cutToVoice(samples, fliteHz), fliteHz, rateHz)
    },
    moved: (sound) => [sound.buffer],
    release() {},
  }
})
