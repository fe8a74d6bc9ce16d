// An agent's rubric: `api_tools.quality`. It was checked when the agent was written; one that cannot be read judges nothing.
import { QualityConfig } from '@parley/contract'
import type { Rubric, RubricQuestion } from '../../../ports/analysis.ts'

// Most of what was asked for.
const usualPassScore = 70

const answers = { yes_no: 'yes-no', scale_1_5: 'scale-1-5', scale_0_10: 'scale-0-10' } as const
const usualPass: Readonly<Record<RubricQuestion['answer'], boolean | number>> = {
  'yes-no': true,
  'scale-1-5': 4,
  'scale-0-10': 7,
}

export function readQuality(apiTools: unknown): Rubric | null {
  const tools = typeof apiTools === 'string' ? parsed(apiTools) : apiTools
  const written =
    typeof tools === 'object' && tools !== null ? (tools as Record<string, unknown>).quality : undefined
  const { data } = QualityConfig.safeParse(written)
  if (!data || data.rubric.length === 0) return null
  return {
    passScore: data.pass_score ?? usualPassScore,
    questions: data.rubric.map(({ name, question, answer, weight, pass }) => {
      const kind = answers[answer ?? 'yes_no']
      return { name, question, answer: kind, weight: weight ?? 1, pass: pass ?? usualPass[kind] }
    }),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
