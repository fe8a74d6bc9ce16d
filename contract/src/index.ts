// The contract: everything that is sent over the wire.
export * from './addresses.ts'
export * from './agent-merge.ts'
export * from './agent-templates.ts'
export * from './agents/agent.ts'
export * from './agents/agent-analysis.ts'
export {
  AgentConfig,
  AgentStatus,
  AgentType,
  CalledAgent,
  offlineName,
  SynthesizerName,
  TranscriberName,
  TurnDetectionName,
  usualEndpointingMs,
} from './agents/agent-config.ts'
export * from './agents/agent-graph.ts'
export * from './agents/agent-operations.ts'
export * from './agents/agent-version.ts'
export * from './agents/guard-rails.ts'
export * from './agents/keyterms.ts'
export * from './agents/model.ts'
export * from './agents/quality.ts'
export * from './agents/voice.ts'
export type { Author } from './author.ts'
export * from './batches/batch.ts'
export * from './batches/batch-operations.ts'
export * from './batches/new-batch.ts'
export * from './calls/call.ts'
export type { CallCost } from './calls/call-cost.ts'
export * from './calls/call-event.ts'
export * from './calls/call-filter.ts'
export * from './calls/call-follow-ups.ts'
export * from './calls/call-operations.ts'
export * from './calls/call-overview.ts'
export type {
  CallLine,
  CallTransfer,
  Engine,
  Latency,
  LatencyOfTurn,
  LatencyParts,
  TranscriptLine,
  Usage,
} from './calls/call-record.ts'
export * from './calls/caller.ts'
export * from './calls/listening.ts'
export * from './calls/web-call.ts'
export * from './carrier.ts'
export * from './credential.ts'
export * as dashboard from './dashboard/dashboard.ts'
export * from './error-body.ts'
export * from './errors.ts'
export * from './event.ts'
export * from './knowledge/knowledge.ts'
export * from './knowledge/knowledge-operations.ts'
export * as limits from './limits.ts'
export * from './missing-prices.ts'
export * from './numbers/phone-number.ts'
export * from './numbers/phone-number-operations.ts'
export * from './numbers/trunk.ts'
export * from './operation.ts'
export * from './pagination.ts'
export * from './pronunciations/pronunciation.ts'
export * from './pronunciations/pronunciation-operations.ts'
export * from './sandbox-characters.ts'
export * from './tools/tool.ts'
export * from './tools/tool-operations.ts'
export * from './transcripts/transcript.ts'
export * from './transcripts/transcript-corrections.ts'
export * from './transcripts/transcript-operations.ts'
export * from './usage/usage.ts'
export * from './usage/usage-operations.ts'
export * from './voice-operations.ts'
export * from './web-sound.ts'
export {
  type Attempt,
  type Delivery,
  type DeliveryDetail,
  DeliveryStatus,
  Webhook,
  WebhookStatus,
} from './webhooks/webhook.ts'
export * from './webhooks/webhook-operations.ts'
export * from './words.ts'
