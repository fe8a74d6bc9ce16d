// Word times as several vendors send them: three lists, in seconds.
import { z } from 'zod'
import type { SpokenWord } from '../../../ports/synthesizer.ts'

export const WordLists = z.object({
  words: z.array(z.string()),
  start: z.array(z.number()),
  end: z.array(z.number()),
})

export const wordsOf = ({ words, start, end }: z.infer<typeof WordLists>): readonly SpokenWord[] =>
  words.map((text, place) => ({
    text,
    startMs: Math.round((start[place] ?? 0) * 1000),
    endMs: Math.round((end[place] ?? start[place] ?? 0) * 1000),
  }))
