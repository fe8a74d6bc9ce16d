// From the answers to a rubric's questions to the score of a call. Pure.
import type { Quality } from '@parley/contract'
import type { Judgement, Rubric, RubricQuestion } from '../../../ports/analysis.ts'

// A score of the few questions that happened to be answered would say nothing about the call.
const leastKnown = 0.5

const scales = { 'scale-1-5': [1, 5], 'scale-0-10': [0, 10] } as const

export function scoreOf(rubric: Rubric, judgements: Readonly<Record<string, Judgement>>): Quality {
  const answers = rubric.questions.map((question) => {
    const { value, reason } = judgements[question.name] ?? notJudged
    return { question, value, reason, points: pointsOf(question, value) }
  })
  const known = answers.filter(({ points }) => points !== null)
  const weight = known.reduce((sum, { question }) => sum + question.weight, 0)
  const points = known.reduce((sum, { question, points }) => sum + question.weight * (points ?? 0), 0)
  const whole = rubric.questions.reduce((sum, question) => sum + question.weight, 0)
  const score =
    weight === 0 || weight < leastKnown * whole ? null : Math.round((1_000 * points) / weight) / 10
  return {
    score,
    passed: score === null ? null : score >= rubric.passScore,
    answers: answers.map(({ question, value, reason }) => ({
      name: question.name,
      question: question.question,
      value,
      passed: isPass(question, value),
      weight: question.weight,
      reason,
    })),
  }
}

const notJudged: Judgement = { value: null, reason: 'It was not answered.' }

/** From 0 to 1; null: it could not be told. */
function pointsOf({ answer, pass }: RubricQuestion, value: boolean | number | null): number | null {
  if (value === null) return null
  if (answer === 'yes-no') return value === pass ? 1 : 0
  const [least, most] = scales[answer]
  return (Math.min(most, Math.max(least, Number(value))) - least) / (most - least)
}

function isPass({ answer, pass }: RubricQuestion, value: boolean | number | null): boolean | null {
  if (value === null) return null
  return answer === 'yes-no' ? value === pass : Number(value) >= Number(pass)
}
