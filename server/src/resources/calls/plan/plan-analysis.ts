// Plans the analysis of an ended call from its row and the agent's configuration, and converts the findings to the
// wire.
import type {
  Analytics as AnalyticsOnWire,
  CallAnalysis,
  CallAnalytics,
  TranscriptLine,
} from '@parley/contract'
import type { AnalysisPlan, Analytics, EndedCall, Rubric } from '../../../ports/analysis.ts'
import { agentOf, type OpenSecrets, type StoredAgent } from './agent-of-call.ts'
import { readModel } from './read-model.ts'
import { readQuality } from './read-quality.ts'
import { scoreOf } from './score-call.ts'

export interface EndedRow extends StoredAgent {
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
