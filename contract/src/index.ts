// The contract: everything that is sent over the wire.
export * from './addresses.ts'
export * from './agent.ts'
export * from './agent-analysis.ts'
export {
  AgentConfig,
  AgentStatus,
  AgentType,
  CalledAgent,
  offlineName,
  SynthesizerName,
  TranscriberName,
  usualEndpointingMs,
} from './agent-config.ts'
export * from './agent-graph.ts'
export * from './agent-merge.ts'
export * from './agent-operations.ts'
export * from './agent-templates.ts'
export * from './agent-version.ts'
export type { Author } from './author.ts'
export * from './batch.ts'
export * from './batch-operations.ts'
export * from './call.ts'
export type { CallCost } from './call-cost.ts'
export * from './call-event.ts'
export * from './call-filter.ts'
export * from './call-follow-ups.ts'
export * from './call-operations.ts'
export * from './call-overview.ts'
export type {
  CallLine,
  CallTransfer,
  Engine,
  Latency,
  LatencyOfTurn,
  LatencyParts,
  TranscriptLine,
  Usage,
} from './call-record.ts'
export * from './caller.ts'
export * from './carrier.ts'
export * from './credential.ts'
export * as dashboard from './dashboard.ts'
export * from './error-body.ts'
export * from './errors.ts'
export * from './event.ts'
export * from './guard-rails.ts'
export * from './knowledge.ts'
export * from './knowledge-operations.ts'
export * as limits from './limits.ts'
export * from './listening.ts'
export * from './missing-prices.ts'
export * from './model.ts'
export * from './new-batch.ts'
export * from './operation.ts'
export * from './pagination.ts'
export * from './phone-number.ts'
export * from './phone-number-operations.ts'
export * from './pronunciation.ts'
export * from './pronunciation-operations.ts'
export * from './quality.ts'
export * from './sandbox-characters.ts'
export * from './tool.ts'
export * from './tool-operations.ts'
export * from './transcript.ts'
export * from './transcript-corrections.ts'
export * from './transcript-operations.ts'
export * from './trunk.ts'
export * from './usage.ts'
export * from './usage-operations.ts'
export * from './voice.ts'
export * from './voice-operations.ts'
export * from './web-call.ts'
export * from './web-sound.ts'
export {
  type Attempt,
  type Delivery,
  type DeliveryDetail,
  DeliveryStatus,
  Webhook,
  WebhookStatus,
} from './webhook.ts'
export * from './webhook-operations.ts'
export * from './words.ts'
