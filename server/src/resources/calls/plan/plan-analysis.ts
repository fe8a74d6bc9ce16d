// Plans the analysis of an ended call from its row and the agent's configuration, and converts the findings to the
// wire.
import {
  type Analytics as AnalyticsOnWire,
  type CallAnalysis,
  type CallAnalytics,
  type Quality,
  QualityConfig,
  type TranscriptLine,
} from '@parley/contract'
import type {
  AnalysisPlan,
  Analytics,
  EndedCall,
  Judgement,
  Rubric,
  RubricQuestion,
} from '../../../ports/analysis.ts'
import { agentOf, type ClaimedAgent, type OpenSecrets } from './agent-of-call.ts'
import { jsonIn } from './read-api-tools.ts'
import { readModel } from './read-model.ts'

export interface EndedRow extends ClaimedAgent {
  transcript: TranscriptLine[]
  call_initiated_time: Date | null
}

/** Undefined if the agent was deleted. */
export function planAnalysis(call: EndedRow, openSecrets: OpenSecrets): EndedCall | undefined {
  const read = agentOf(call, openSecrets)
  if (!read) return undefined
  const { agent } = read
  const plan = {
    ...wishesOf(agent.call_analysis_config),
    rubric: readQuality(agent.api_tools),
    timezone: agent.timezone,
    model: readModel(agent.llm_agent),
  }
  return { plan, transcript: call.transcript, at: call.call_initiated_time ?? new Date() }
}

const nothing: CallAnalysis = { summary: false, data_extraction: false, sentiment: false }

export function wishesOf(
  config: CallAnalysis = nothing,
): Omit<AnalysisPlan, 'timezone' | 'model' | 'rubric'> {
  return {
    summary: config.summary ? { prompt: config.summary_prompt?.trim() ?? '' } : null,
    sentiment: config.sentiment ? { prompt: config.sentiment_prompt?.trim() ?? '' } : null,
    dispositions: (config.disposition_fields ?? []).map(({ field_name, description, action }) => ({
      name: field_name,
      description: description?.trim() ?? '',
      action: action ?? null,
    })),
    extraction: config.data_extraction
      ? {
          fields: (config.data_extraction_fields ?? []).map(({ field_name, data_type, description }) => ({
            name: field_name,
            type: data_type ?? '',
            description: description ?? '',
          })),
        }
      : null,
  }
}

/** What the event has, and what the record has besides. */
export interface AnalysisOnWire {
  readonly analytics: AnalyticsOnWire
  readonly reasons: CallAnalytics['reasons']
  readonly qa: CallAnalytics['qa']
}

export const analysisOnWire = (
  { sentiment, reasons, judgements, ...found }: Analytics,
  rubric: Rubric | null,
): AnalysisOnWire => ({
  analytics: {
    summary: found.summary,
    sentiment: sentiment && { ...sentiment },
    disposition: found.disposition && { ...found.disposition },
    data_extraction: found.dataExtraction && { ...found.dataExtraction },
  },
  reasons: Object.keys(reasons).length > 0 ? { ...reasons } : null,
  qa: rubric && scoreOf(rubric, judgements),
})

// An agent's rubric: `api_tools.quality`. It was checked when the agent was written; one that cannot be read judges
// nothing.

// The usual score to pass with: most of what was asked for.
const usualPassScore = 70

const answers = { yes_no: 'yes-no', scale_1_5: 'scale-1-5', scale_0_10: 'scale-0-10' } as const
const usualPass: Readonly<Record<RubricQuestion['answer'], boolean | number>> = {
  'yes-no': true,
  'scale-1-5': 4,
  'scale-0-10': 7,
}

export function readQuality(apiTools: unknown): Rubric | null {
  const tools = typeof apiTools === 'string' ? jsonIn(apiTools) : apiTools
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

// From the answers to a rubric's questions to the score of a call. Pure.

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
