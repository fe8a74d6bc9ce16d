// The Moonshine worker for recordings: a piece of speech in, words with times out.
import type { TimedWord } from '../alignment/word-times.ts'
import { serveEngine } from '../engine/serve-engine.ts'
import { floats } from '../features/floats.ts'
import { loadMoonshine, type MoonshinePaths } from './moonshine-model.ts'
import { moonshineWords, timedLayers } from './moonshine-words.ts'

serveEngine<MoonshinePaths, Int16Array, TimedWord[]>(async (paths) => {
  const model = await loadMoonshine(paths, timedLayers)
  return {
    answer: (piece, signal) => moonshineWords(model, floats(piece), signal),
    release: () => model.release(),
  }
})
