// Reading calls: from rows to wire format.
import type {
  CallCost,
  CallDetail,
  CallSummary,
  Latency,
  LatencyOfTurn,
  LatencyParts,
  PlacedCall,
} from '@parley/contract'
import { type CallSummaryRow, type CostRow, type DetailRow, isSandbox } from '../store.ts'

const iso = (time: Date | null): string | null => time?.toISOString() ?? null

export const callSummaryOf = (row: CallSummaryRow): CallSummary =>
  ({
    ...row,
    sandbox: isSandbox(row),
    schedule_time: iso(row.schedule_time),
    call_initiated_time: iso(row.call_initiated_time),
    call_completed_time: iso(row.call_completed_time),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }) as CallSummary

export const placedOf = (row: CallSummaryRow): PlacedCall => ({
  session_id: row.session_id,
  agent_id: row.agent_id,
  call_status: row.call_status,
  call_type: row.call_type,
  to_phone_number: row.to_phone_number,
  from_phone_number: row.from_phone_number,
  schedule_time: iso(row.schedule_time),
})

export function callDetailOf(row: DetailRow, recording: CallDetail['recording']): CallDetail {
  const { finished: _finished, waits: _waits, stop_asked: _stopAsked, ...rest } = row
  const { analysis_reasons: reasons, qa, ...told } = rest
  // The score is in the analysis.
  const { qa_score: _score, ...call } = callSummaryOf(told)
  return {
    ...call,
    recording,
    analytics: { ...noAnalytics, ...row.analytics, reasons, qa },
    variables: row.variables ?? {},
    metadata: row.metadata ?? {},
    latency: latencyOf((row.latency ?? []) as LatencyOfTurn[]),
    // Records of earlier releases do not tell models apart.
    usage: row.usage && { models: [], ...row.usage },
    cost: row.cost && costOf(row.cost),
    engines: row.engines ?? [],
    listeners: row.listeners.map((one) => ({ ...one, began_at: new Date(one.began_at).toISOString() })),
    line: row.line && { quality: null, ...row.line },
  } as CallDetail
}

const costOf = ({ currency, amount, parts }: CostRow): CallCost => ({
  currency,
  amount: currency === null ? null : amount,
  parts: parts.map(({ stt_ms, duration_ms, tts_characters, cached_tokens, cache_write_tokens, ...part }) => ({
    ...part,
    seconds: (stt_ms + duration_ms) / 1000,
    characters: tts_characters,
    cached_tokens: cached_tokens ?? 0,
    cache_write_tokens: cache_write_tokens ?? 0,
  })),
})

const noAnalytics = { summary: null, sentiment: null, disposition: null, data_extraction: null }

const parts = ['endpointing', 'stt', 'llm', 'tts', 'total'] as const satisfies (keyof LatencyParts)[]

export function latencyOf(turns: LatencyOfTurn[]): Latency {
  const at = (share: number) =>
    Object.fromEntries(
      parts.map((part) => [
        part,
        quantile(
          turns.map((turn) => turn[part]),
          share,
        ),
      ]),
    ) as LatencyParts
  return { turns, p50: at(0.5), p95: at(0.95) }
}

/** The smallest value not exceeded by this share of them. Turns without a value do not count. */
function quantile(values: (number | null)[], share: number): number | null {
  const sorted = values.filter((value) => value !== null).toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null
}
