// The wire types that the client library uses. The build writes them out as plain TypeScript, so that the
// published package needs neither the contract nor zod.
import type {
  BodyOf,
  createAgent,
  createBatch,
  createPhoneNumber,
  createTranscript,
  createWebhook,
  DataOf,
  placeCall,
  rotateWebhookSecret,
  startWebCall,
  testWebhook,
  updateAgent,
  updateBatch,
  updatePhoneNumber,
  updateWebhook,
} from '@parley/contract'

export type {
  Agent,
  BatchDetail,
  BatchEvent,
  BatchStatus,
  BatchSummary,
  CallCompleted as CallCompletedEvent,
  CallDetail,
  CallDirection,
  CallEvent,
  CallSip,
  CallStatus,
  CallSummary,
  CreatedBatch,
  Delivery,
  DeliveryDetail,
  DeliveryStatus,
  ErrorBody,
  ErrorCode,
  Fault,
  NumberCheck,
  NumberProvider,
  NumberStatus,
  Pagination,
  PlacedCall,
  QualityReport,
  Recipient,
  RecipientStatus,
  SpeechFile,
  StoredPhoneNumber as PhoneNumber,
  Transcript,
  TranscriptFormat,
  TranscriptStatus,
  TranscriptSummary,
  UpdatedAgent,
  Voice,
  WebCall,
  Webhook,
  WebhookStatus,
} from '@parley/contract'

export type NewAgent = BodyOf<typeof createAgent>['agent_config']
export type CreatedAgent = DataOf<typeof createAgent>
export type AgentChange = BodyOf<typeof updateAgent>['agent_config']
export type NewCall = BodyOf<typeof placeCall>
export type NewWebCall = BodyOf<typeof startWebCall>
export type NewBatch = BodyOf<typeof createBatch>
export type BatchChange = BodyOf<typeof updateBatch>
export type NewPhoneNumber = BodyOf<typeof createPhoneNumber>
export type PhoneNumberChange = BodyOf<typeof updatePhoneNumber>
export type NewTranscript = BodyOf<typeof createTranscript>
export type NewWebhook = BodyOf<typeof createWebhook>
export type CreatedWebhook = DataOf<typeof createWebhook>
export type WebhookChange = BodyOf<typeof updateWebhook>
export type WebhookTest = DataOf<typeof testWebhook>
export type RotatedSecret = DataOf<typeof rotateWebhookSecret>
