// From the engine's types to the wire: the events of a running call, and its final record.
import type {
  CallEventData,
  CallEventName,
  CallLine,
  CallTransfer,
  LatencyOfTurn,
  TranscriptLine,
  Usage,
} from '@parley/contract'
import type {
  CallOutcome,
  LineRecord,
  PassageSource,
  ReportedUpdate,
  TranscriptEntry,
  TurnLatency,
  UsageOfModel,
} from '../../../ports/call.ts'
import type { LineQuality } from '../../../ports/line.ts'
import type { CallEnd } from './finish-calls.ts'

export interface WireEvent {
  readonly type: CallEventName
  readonly data: CallEventData
}

export function wireEventOf(update: ReportedUpdate): WireEvent {
  switch (update.type) {
    case 'status':
      return { type: 'status', data: { call_status: update.status } }
    case 'partial':
      return { type: 'partial', data: { role: update.role, text: update.text } }
    case 'transcript':
      return { type: 'transcript', data: lineOf(update.entry) }
    case 'latency':
      return { type: 'latency', data: latencyOf(update.latency) }
    case 'tool':
      return { type: 'tool', data: { name: update.name, phase: update.phase, detail: update.detail } }
    case 'node':
      return { type: 'node', data: { node_id: update.nodeId } }
    case 'variables':
      return { type: 'variables', data: { variables: { ...update.variables } } }
    case 'note':
      return { type: 'note', data: { note: update.note } }
  }
}

type SourceLine = NonNullable<TranscriptLine['sources']>[number]

const sourceLine = ({ documentId, chunkId, title, score }: PassageSource): SourceLine => ({
  document_id: documentId,
  chunk_id: chunkId,
  title,
  score,
})

const sourceOfLine = ({ document_id, chunk_id, title, score }: SourceLine): PassageSource => ({
  documentId: document_id,
  chunkId: chunk_id,
  title,
  score,
})

const lineOf = (entry: TranscriptEntry): TranscriptLine => ({
  turn: entry.turn,
  role: entry.role,
  content: entry.content,
  start_time: entry.startSeconds,
  end_time: entry.endSeconds,
  interrupted: entry.interrupted,
  ...(entry.nodeId !== undefined && { node_id: entry.nodeId }),
  ...(entry.sources && { sources: entry.sources.map(sourceLine) }),
  ...(entry.tool && { tool: { name: entry.tool.name, arguments: entry.tool.arguments } }),
})

/** Reads a line back into an entry, for a call that another process has begun. */
export const entryOfLine = (line: TranscriptLine): TranscriptEntry => ({
  turn: line.turn,
  role: line.role,
  content: line.content,
  startSeconds: line.start_time,
  endSeconds: line.end_time,
  interrupted: line.interrupted,
  ...(line.node_id !== undefined && { nodeId: line.node_id }),
  ...(line.sources && { sources: line.sources.map(sourceOfLine) }),
  ...(line.tool && { tool: { name: line.tool.name, arguments: line.tool.arguments } }),
})

const latencyOf = (latency: TurnLatency): LatencyOfTurn => ({
  turn: latency.turn,
  endpointing: latency.endpointingMs,
  stt: latency.sttMs,
  llm: latency.llmMs,
  tts: latency.ttsMs,
  total: latency.totalMs,
})

export const latencyOfLine = (latency: LatencyOfTurn): TurnLatency => ({
  turn: latency.turn,
  endpointingMs: latency.endpointing,
  sttMs: latency.stt,
  llmMs: latency.llm,
  ttsMs: latency.tts,
  totalMs: latency.total ?? 0,
})

function lineRecordOf(line: LineRecord | undefined): CallLine | null {
  if (!line) return null
  const { codec, carrierCause: cause, quality, lateFrames } = line
  return {
    codec: codec && `${codec.name}/${codec.rateHz}`,
    cause: cause && { protocol: cause.protocol, code: String(cause.code), text: cause.text },
    quality: quality && qualityOf(quality),
    ...(lateFrames !== undefined && { frames_late: lateFrames }),
  }
}

const tenths = (value: number): number => Math.round(value * 10) / 10

const qualityOf = (quality: LineQuality): NonNullable<CallLine['quality']> => ({
  packets_received: quality.packetsReceived,
  packets_lost: quality.packetsLost,
  packets_sent: quality.packetsSent,
  far_loss: quality.farLossShare,
  jitter_ms: tenths(quality.jitterMs),
  round_trip_ms: quality.roundTripMs === null ? null : tenths(quality.roundTripMs),
  concealed_ms: quality.concealedMs,
  mos: tenths(quality.opinionScore),
})

function transferOf(line: LineRecord | undefined): CallTransfer | null {
  if (!line?.transfer) return null
  const { destination, to, mode, method, outcome, reason, seconds } = line.transfer
  return { destination, to, mode, method, outcome, reason, seconds }
}

const usageOfModel = (used: UsageOfModel): Usage['models'][number] => ({
  provider: used.provider,
  model: used.model,
  requests: used.requests,
  aborted_requests: used.abortedRequests,
  input_tokens: used.inputTokens,
  output_tokens: used.outputTokens,
  cached_tokens: used.cachedTokens,
  cache_write_tokens: used.cacheWriteTokens,
})

export const endOf = (outcome: CallOutcome, recording: CallEnd['recording'], completedAt: Date): CallEnd => ({
  callStatus: outcome.status,
  duration: outcome.durationSeconds,
  callSid: outcome.callSid,
  completedAt,
  terminatedBy: outcome.terminatedBy,
  transcript: outcome.transcript.map((entry) => ({ ...lineOf(entry), ...wordTimesOf(entry) })),
  recording,
  analytics: null,
  hangupReason: outcome.hangupReason,
  errorMessage: outcome.errorMessage,
  answeredBy: outcome.answeredBy,
  provider: outcome.provider ?? null,
  line: lineRecordOf(outcome.line),
  transfer: transferOf(outcome.line),
  latency: outcome.latency.map(latencyOf),
  usage: {
    stt_seconds: outcome.usage.sttSeconds,
    llm_input_tokens: outcome.usage.llmInputTokens,
    llm_output_tokens: outcome.usage.llmOutputTokens,
    tts_characters: outcome.usage.ttsCharacters,
    tts_cached_characters: outcome.usage.ttsCachedCharacters ?? 0,
    models: outcome.usage.models.map(usageOfModel),
    ...(outcome.usage.speech && { speech: [...outcome.usage.speech] }),
  },
  engines: outcome.engines.map(({ asks: _, ...engine }) => engine),
  ...(Object.keys(outcome.variables ?? {}).length > 0 && { variables: outcome.variables }),
})

/** The end of a call (`end`) on which the other side has hung up: now, or some time after the last event. */
export const hungUpEnd = (end: CallEnd, at = end.completedAt ?? new Date()): CallEnd => ({
  ...end,
  callStatus: 'completed',
  duration: (end.duration ?? 0) + Math.max(0, at.getTime() - (end.completedAt ?? at).getTime()) / 1000,
  completedAt: at,
  terminatedBy: 'user',
  hangupReason: 'user_hangup',
  errorMessage: null,
})

/** The end of a call that failed before the engine ran it, or whose engine died. */
export const failedEnd = (hangupReason: 'dial_failed' | 'worker_lost', errorMessage: string): CallEnd => ({
  callStatus: 'failed',
  duration: 0,
  callSid: null,
  completedAt: null,
  terminatedBy: 'system',
  transcript: [],
  recording: null,
  analytics: null,
  hangupReason,
  errorMessage,
})

// When each word of the caller began, by what the transcriber said of its own words. Pure.

/** Returns nothing if the times are not known. Of the agent only whole clauses are timed. */
export function wordTimesOf({ role, content, startSeconds, parts = [] }: TranscriptEntry): {
  word_times?: number[]
} {
  if (role !== 'user' || parts.length === 0) return {}
  const timed: { readonly end: number; readonly startSeconds: number }[] = []
  let at = 0
  for (const part of parts) {
    const place = content.indexOf(part.text, at)
    if (place < 0) return {}
    at = place + part.text.length
    timed.push({ end: at, startSeconds: part.startSeconds })
  }
  // A word may consist of several pieces of the transcriber.
  const startOf = (place: number) =>
    (timed.find(({ end }) => end > place) ?? timed.at(-1))?.startSeconds ?? startSeconds
  return { word_times: [...content.matchAll(/\S+/g)].map(({ index }) => startOf(index)) }
}
