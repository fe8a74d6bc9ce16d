// The Moonshine worker for calls: a speech segment in, its text out, with the times of its words if they are wanted.
import type { TimedWord } from '../alignment/word-times.ts'
import { serveEngine } from '../engine/serve-engine.ts'
import type { Segment } from '../utterances/recognition-attempt.ts'
import { loadMoonshine, type MoonshinePaths, moonshineText } from './moonshine-model.ts'
import { asWrittenToday, moonshineWords, timedLayers } from './moonshine-words.ts'

export interface MoonshineQuestion {
  readonly samples: Segment
  readonly isTimed: boolean
}

export interface MoonshineAnswer {
  readonly text: string
  readonly words?: readonly TimedWord[]
}

serveEngine<MoonshinePaths, MoonshineQuestion, MoonshineAnswer>(async (paths) => {
  const model = await loadMoonshine(paths, timedLayers)
  return {
    async answer({ samples, isTimed }, signal) {
      if (!isTimed) return { text: asWrittenToday(moonshineText(await model.decode(samples, signal))) }
      const words = await moonshineWords(model, samples, signal)
      const text = words.map((word) => word.text).join('')
      return { text: text.trim(), words }
    },
    release: () => model.release(),
  }
})
