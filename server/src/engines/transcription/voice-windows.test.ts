// Where voices are sampled, and how words get their speakers.
import { expect, it } from 'vitest'
import { withSpeakers } from './segments.ts'
import { voiceWindows } from './transcribe-file.ts'

it('windows stay inside one stretch of speech and cover it', () => {
  expect(voiceWindows({ voiced: [{ fromMs: 0, toMs: 2_600 }] })).toEqual([
    { fromMs: 0, toMs: 1_500 },
    { fromMs: 500, toMs: 2_000 },
    { fromMs: 1_000, toMs: 2_500 },
    { fromMs: 1_100, toMs: 2_600 },
  ])
})

it('a short stretch is one window', () => {
  expect(voiceWindows({ voiced: [{ fromMs: 100, toMs: 500 }] })).toEqual([{ fromMs: 100, toMs: 500 }])
})

it('words get the speaker of their window, numbered in order of appearance', () => {
  const word = (fromMs: number) => ({ text: ' x', fromMs, toMs: fromMs + 200, confidence: 1, speaker: null })
  const windows = [
    { fromMs: 0, toMs: 1_500 },
    { fromMs: 500, toMs: 2_000 },
    { fromMs: 2_300, toMs: 2_900 },
    { fromMs: 3_000, toMs: 4_500 },
  ]
  const told = withSpeakers(
    [word(100), word(1_600), word(2_400), word(2_700), word(3_500)],
    windows,
    [7, 7, 3, 7],
  )
  expect(told.map(({ speaker }) => speaker)).toEqual([0, 0, 1, 1, 0])
})

it('without windows there are no speakers', () => {
  const [word] = withSpeakers([{ text: ' x', fromMs: 0, toMs: 9, confidence: 1, speaker: null }], [], [])
  expect(word?.speaker).toBeNull()
})
