// Plans the analysis of an ended call from its row and the agent's configuration, and converts the findings to the
// wire.
import type { Analytics as AnalyticsOnWire, CallAnalysis, TranscriptLine } from '@parley/contract'
import type { AnalysisPlan, Analytics, EndedCall } from '../../../ports/analysis.ts'
import { agentOf, type OpenSecrets, type StoredAgent } from '../agent-of-call.ts'
import { readModel } from './read-model.ts'

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
    timezone: agent.timezone,
    model: readModel(agent.llm_agent),
  }
  return { plan, transcript: call.transcript, at: call.call_initiated_time ?? new Date() }
}

const nothing: CallAnalysis = { summary: false, data_extraction: false, sentiment: false }

export function wishesOf(config: CallAnalysis = nothing): Omit<AnalysisPlan, 'timezone' | 'model'> {
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

export const analyticsOnWire = ({ sentiment, ...found }: Analytics): AnalyticsOnWire => ({
  summary: found.summary,
  sentiment: sentiment && { ...sentiment },
  disposition: found.disposition && { ...found.disposition },
  data_extraction: found.dataExtraction && { ...found.dataExtraction },
})
