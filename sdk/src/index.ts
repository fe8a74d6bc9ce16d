// The client library: everything here runs in Node and in browsers.
export { Agents } from './agents.ts'
export { Batches } from './batches.ts'
export { Callers } from './callers.ts'
export { type CallQuery, Calls } from './calls.ts'
export { Credentials } from './credentials.ts'
export { ParleyError } from './error.ts'
export { Knowledge } from './knowledge.ts'
export { Models } from './models.ts'
export { Parley, type ParleyOptions } from './parley.ts'
export { PhoneNumbers } from './phone-numbers.ts'
export { Pronunciations } from './pronunciations.ts'
export type { Page, PageQuery, RequestOptions } from './requests.ts'
export { Tools } from './tools.ts'
export {
  SpeechToText,
  type SpeechToTextOptions,
  type TranscriptOptions,
  type WaitOptions,
} from './transcripts.ts'

export { Usage, type UsageQuery } from './usage.ts'
export { Voices } from './voices.ts'
export { WebhookEndpoints } from './webhook-endpoints.ts'
export type * from './wire.ts'
