// The quality of calls: the rubric of an agent, as it is written in `api_tools.quality`, and the scores of its questions.
import { z } from 'zod'
import { Id, Text } from '../words.ts'

const mostQuestions = 50

const Question = z.strictObject({
  name: z
    .string('must be a text')
    .trim()
    .min(1, 'must not be empty')
    .max(64, 'must have at most 64 characters'),
  question: z
    .string('must be a text')
    .trim()
    .min(1, 'must not be empty')
    .max(500, 'must have at most 500 characters'),
  answer: z.enum(['yes_no', 'scale_1_5', 'scale_0_10'], 'must be yes_no, scale_1_5 or scale_0_10').nullish(),
  weight: z.number('must be a number').gt(0, 'must be more than 0').max(100, 'must be at most 100').nullish(),
  pass: z.union([z.boolean(), z.number()], 'must be true or false, or a number of the scale').nullish(),
})

export const QualityConfig = z
  .strictObject({
    rubric: z
      .array(Question, 'must be a list of questions')
      .max(mostQuestions, `must have at most ${mostQuestions} questions`),
    pass_score: z.number('must be a number from 0 to 100').min(0).max(100).nullish(),
  })
  .superRefine(({ rubric }, context) => {
    const names = new Set<string>()
    for (const [place, { name, answer, pass }] of rubric.entries()) {
      const fault = names.has(name)
        ? (['name', 'must be different from the others'] as const)
        : passFault(answer ?? 'yes_no', pass)
      names.add(name)
      if (fault)
        context.addIssue({
          code: 'custom',
          path: ['rubric', place, fault[0]],
          message: fault[1],
          input: name,
        })
    }
  })
export type QualityConfig = z.infer<typeof QualityConfig>

function passFault(answer: string, pass: boolean | number | null | undefined) {
  if (pass === null || pass === undefined) return undefined
  const fits = answer === 'yes_no' ? typeof pass === 'boolean' : typeof pass === 'number'
  const [least, most] = answer === 'scale_1_5' ? [1, 5] : [0, 10]
  if (fits && (typeof pass === 'boolean' || (pass >= least && pass <= most))) return undefined
  return ['pass', answer === 'yes_no' ? 'must be true or false' : `must be from ${least} to ${most}`] as const
}

const QualityAnswer = z
  .strictObject({
    name: Text.describe('The name of the question in the rubric.'),
    question: Text.describe('The question, as it was asked.'),
    value: z
      .union([z.boolean(), z.number()])
      .nullable()
      .describe('true or false, or a number of the scale. null: it could not be told.'),
    passed: z.boolean().nullable().describe('Whether that is a pass. null: it could not be told.'),
    weight: z.number().describe('How much it counts, a number from 0 to 100.'),
    reason: Text.describe('Why, in one sentence.'),
  })
  .describe('One question of the rubric and its answer.')

export const Quality = z
  .strictObject({
    score: z
      .number()
      .min(0)
      .max(100)
      .nullable()
      .describe(
        'From 0 to 100, by the weights of the questions that could be answered. null: those are less than half of the rubric.',
      ),
    passed: z.boolean().nullable().describe('Whether the score reaches `pass_score`. null: there is none.'),
    answers: z
      .array(QualityAnswer)
      .max(mostQuestions)
      .describe('Every question, in the order of the rubric.'),
  })
  .meta({ id: 'CallQualityScore', description: 'How a call was judged by the rubric of its agent.' })
export type Quality = z.infer<typeof Quality>

const averages = {
  calls: z.int().min(0).describe('How many calls have a score.'),
  average_score: z.number().nullable().describe('Their mean score, from 0 to 100. null: none has one.'),
  passed: z.int().min(0).describe('How many of them passed.'),
}

export const QualityReport = z
  .strictObject({
    ...averages,
    days: z
      .array(
        z
          .strictObject({
            day: z.iso.date().max(10).describe('In UTC, as in 2026-01-31.'),
            agent_id: Id.describe('The agent that spoke.'),
            ...averages,
          })
          .describe('One agent on one day.'),
      )
      .max(10_000)
      .describe('Every agent on every day with scored calls, oldest first.'),
  })
  .meta({ id: 'QualityReport', description: 'How good calls were, by agent and day.' })
export type QualityReport = z.infer<typeof QualityReport>
