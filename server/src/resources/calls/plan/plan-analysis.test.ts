// The score of a call by the answers to its agent's rubric.
import { QualityConfig } from '@parley/contract'
import { expect, it } from 'vitest'
import { readQuality, scoreOf } from './plan-analysis.ts'

const quality = {
  rubric: [
    { name: 'greeted', question: 'Did it greet?' },
    { name: 'rude', question: 'Was it rude?', pass: false, weight: 2 },
    { name: 'clear', question: 'How clear?', answer: 'scale_1_5' },
    { name: 'kind', question: 'How kind?', answer: 'scale_0_10', pass: 9, weight: 4 },
  ],
}
const rubric = readQuality({ quality })
if (!rubric) throw new Error('there is no rubric')
const answer = (value: boolean | number | null) => ({ value, reason: 'Because.' })

it('weighs the answers, each by what is a pass for it', () => {
  const scored = scoreOf(rubric, {
    greeted: answer(true),
    rude: answer(false),
    clear: answer(3),
    kind: answer(8),
  })
  // 1 + 2 + 0.5 + 4 * 0.8 of 8.
  expect(scored).toMatchObject({ score: 83.8, passed: true })
  expect(scored.answers.map(({ passed }) => passed)).toEqual([true, true, false, false])
})

it('leaves out what could not be told, and gives no score by less than half', () => {
  expect(scoreOf(rubric, { kind: answer(5) })).toMatchObject({ score: 50, passed: false })
  const few = scoreOf(rubric, { greeted: answer(true), kind: answer(null) })
  expect(few).toMatchObject({ score: null, passed: null })
  expect(few.answers[1]).toEqual({
    name: 'rude',
    question: 'Was it rude?',
    value: null,
    passed: null,
    weight: 2,
    reason: 'It was not answered.',
  })
})

it('a rubric in a text is read; none, or an empty one, judges nothing', () => {
  expect(readQuality(JSON.stringify({ quality }))).toEqual(rubric)
  expect([readQuality(undefined), readQuality({ quality: { rubric: [] } })]).toEqual([null, null])
})

it.each([
  [{ rubric: [{ name: 'a', question: 'A?', pass: 3 }] }, ['rubric', 0, 'pass']],
  [{ rubric: [{ name: 'a', question: 'A?', answer: 'scale_1_5', pass: 6 }] }, ['rubric', 0, 'pass']],
  [
    {
      rubric: [
        { name: 'a', question: 'A?' },
        { name: 'a', question: 'B?' },
      ],
    },
    ['rubric', 1, 'name'],
  ],
  [{ rubric: [{ name: 'a', question: 'A?', weight: 0 }] }, ['rubric', 0, 'weight']],
])('refuses %j', (written, path) => {
  expect(QualityConfig.safeParse(written).error?.issues[0]?.path).toEqual(path)
})
