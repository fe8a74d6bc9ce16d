// Verifying webhook deliveries, and signing them for tests. Node only.
export type { WebhookHeaders } from './webhooks/header.ts'
export { type SignedHeaders, type SignWebhook, signWebhook } from './webhooks/sign.ts'
export { WebhookVerificationError, type WebhookVerificationReason } from './webhooks/verification-error.ts'
export { type VerifyWebhook, verifyWebhook } from './webhooks/verify.ts'
export type { CallCompletedEvent } from './wire.ts'
