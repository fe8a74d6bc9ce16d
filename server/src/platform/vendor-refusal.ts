// The reason in a vendor's refusal, as the end of an error message.

const mostChars = 200

/** Redacts the credentials, which some vendors echo. */
export function refusalReason(body: string, credentials: Readonly<Record<string, string>>): string {
  const secrets = Object.values(credentials).filter((secret) => secret !== '')
  const redacted = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), body)
  const reason = redacted.replaceAll(/\s+/g, ' ').trim().slice(0, mostChars)
  return reason ? `: ${reason}` : '.'
}
