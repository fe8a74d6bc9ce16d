// How failures of vendors are told: late ones by their class, refusals with a reason at the end of the sentence.

/** The vendor did not answer while somebody was waiting. */
export class VendorLate extends Error {}

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
