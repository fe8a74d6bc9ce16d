// The Moonshine worker for calls: a speech segment in, its words out.
import { serve } from '../engine/serve.ts'
import type { Segment } from '../utterances/attempt.ts'
import { loadMoonshine, type MoonshinePaths, moonshineText } from './moonshine-model.ts'
import { asWrittenToday } from './spelling.ts'

serve<MoonshinePaths, Segment, string>(async (paths) => {
  const model = await loadMoonshine(paths)
  return {
    answer: async (segment, signal) => asWrittenToday(moonshineText(await model.decode(segment, signal))),
    release: () => model.release(),
  }
})
