// The reason in a vendor's refusal, as the end of an error message.

const mostChars = 200

type Credentials = Readonly<Record<string, string>>

/** Without the credentials, which some vendors echo. */
export const redacted = (text: string, credentials: Credentials): string =>
  Object.values(credentials)
    .filter((secret) => secret !== '')
    .reduce((rest, secret) => rest.replaceAll(secret, '…'), text)

export function refusalReason(body: string, credentials: Credentials): string {
  const reason = redacted(body, credentials).replaceAll(/\s+/g, ' ').trim().slice(0, mostChars)
  return reason ? `: ${reason}` : '.'
}
