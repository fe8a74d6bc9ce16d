// The wire types that the client library uses. The build writes them out as plain TypeScript, so that the
// published package needs neither the contract nor zod.
import type {
  addDocument,
  BodyOf,
  createAgent,
  createBatch,
  createPhoneNumber,
  createPronunciation,
  createRepository,
  createTool,
  createTranscript,
  createWebhook,
  DataOf,
  listCallDeliveries,
  listCallPassages,
  placeCall,
  putAgentGraph,
  putCredentials,
  putTranscriptCorrections,
  rotateWebhookSecret,
  searchRepository,
  shareCall,
  startWebCall,
  testWebhook,
  tryTool,
  updateAgent,
  updateBatch,
  updatePhoneNumber,
  updatePronunciation,
  updateRepository,
  updateTool,
  updateWebhook,
  VendorCredentials,
} from '@parley/contract'

export type {
  Agent,
  AgentVersion,
  AgentVersionDetail,
  BatchDetail,
  BatchEvent,
  BatchStatus,
  BatchSummary,
  CallCompleted as CallCompletedEvent,
  CallDetail,
  CallDirection,
  CallEvent,
  Caller,
  CallOverview,
  CallSip,
  CallStatus,
  CallSummary,
  Concurrency,
  Corrections,
  CreatedBatch,
  CredentialCheck,
  Delivery,
  DeliveryDetail,
  DeliveryStatus,
  DocumentStatus,
  Erasure,
  ErrorBody,
  ErrorCode,
  Fault,
  HangupReason,
  KnowledgeDocument,
  KnowledgePassage,
  ModelsHere,
  Notice,
  NumberCheck,
  NumberProvider,
  NumberStatus,
  Pagination,
  PlacedCall,
  Prices,
  PublicPrices,
  QualityReport,
  Recipient,
  RecipientStatus,
  Repository,
  SpeechFile,
  StoredGraph,
  StoredPhoneNumber as PhoneNumber,
  StoredPronunciation as Pronunciation,
  StoredTool as Tool,
  ToolTried,
  ToolType,
  Transcript,
  TranscriptFormat,
  TranscriptStatus,
  TranscriptSummary,
  UpdatedAgent,
  UpdatedTool,
  UsageGroup,
  UsageLimits,
  UsageReport,
  VendorCredentials,
  Voice,
  WebCall,
  Webhook,
  WebhookStatus,
} from '@parley/contract'

export type NewAgent = BodyOf<typeof createAgent>['agent_config']
export type CreatedAgent = DataOf<typeof createAgent>
export type AgentChange = BodyOf<typeof updateAgent>['agent_config']
export type NewGraph = BodyOf<typeof putAgentGraph>
export type NewCall = BodyOf<typeof placeCall>
export type NewWebCall = BodyOf<typeof startWebCall>
export type NewBatch = BodyOf<typeof createBatch>
export type BatchChange = BodyOf<typeof updateBatch>
export type NewPhoneNumber = BodyOf<typeof createPhoneNumber>
export type PhoneNumberChange = BodyOf<typeof updatePhoneNumber>
export type NewRepository = BodyOf<typeof createRepository>
export type RepositoryChange = BodyOf<typeof updateRepository>
export type NewDocument = BodyOf<typeof addDocument>
export type KnowledgeQuestion = BodyOf<typeof searchRepository>
export type NewPronunciation = BodyOf<typeof createPronunciation>
export type PronunciationChange = BodyOf<typeof updatePronunciation>
export type NewCredentials = BodyOf<typeof putCredentials>
export type CredentialName = VendorCredentials['vendor']
export type NewTool = BodyOf<typeof createTool>
export type ToolChange = BodyOf<typeof updateTool>
export type ToolTrial = BodyOf<typeof tryTool>
export type NewTranscript = BodyOf<typeof createTranscript>
export type NewCorrections = BodyOf<typeof putTranscriptCorrections>
export type NewWebhook = BodyOf<typeof createWebhook>
export type CreatedWebhook = DataOf<typeof createWebhook>
export type WebhookChange = BodyOf<typeof updateWebhook>
export type WebhookTest = DataOf<typeof testWebhook>
export type RotatedSecret = DataOf<typeof rotateWebhookSecret>
export type CallDeliveries = DataOf<typeof listCallDeliveries>
export type CallPassages = DataOf<typeof listCallPassages>
export type ShareCall = BodyOf<typeof shareCall>
export type SharedLink = DataOf<typeof shareCall>
