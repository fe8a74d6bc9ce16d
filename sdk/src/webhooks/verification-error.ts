// The error for a delivery that was not accepted, with the reason.

const sentences = {
  'missing-header': 'X-Svc-Signature or X-Svc-Timestamp is missing.',
  'malformed-signature': 'X-Svc-Signature is not t=<unix-seconds>,v1=<64 hex characters>.',
  'timestamp-mismatch': 'X-Svc-Timestamp is not the t of X-Svc-Signature.',
  'timestamp-out-of-tolerance': 'The delivery was signed too long ago, or too far in the future.',
  'no-matching-signature': 'No signature was made with this secret over this body.',
  'malformed-body': 'The signature is right, but the body is not a call.completed event.',
} as const

export type WebhookVerificationReason = keyof typeof sentences

export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly reason: WebhookVerificationReason

  constructor(reason: WebhookVerificationReason, options?: ErrorOptions) {
    super(sentences[reason], options)
    this.reason = reason
  }
}
