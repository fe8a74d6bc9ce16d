// How failures of vendors are told: late ones by their class, refusals with a reason at the end of the sentence.

/** The vendor did not answer while somebody was waiting. */
export class VendorLate extends Error {}

/** The vendor does not accept the account, and will not the next time either. */
export class VendorRefused extends Error {}

/** Whether a status is about the account: its key, its plan or its balance, not the moment or this one request. */
export const isAboutAccount = (status: number | undefined): boolean =>
  status === 401 || status === 402 || status === 403

const mostChars = 200

type Credentials = Readonly<Record<string, string>>

/** Without the credentials, which some vendors echo. */
export const redacted = (text: string, credentials: Credentials): string =>
  Object.values(credentials)
    .filter((secret) => secret !== '')
    .reduce((rest, secret) => rest.replaceAll(secret, '…'), text)

export function refusalReason(body: string, credentials: Credentials): string {
  const told = redacted(sentenceIn(body), credentials)
  const reason = told.replaceAll(/\s+/g, ' ').trim().slice(0, mostChars)
  return reason ? `: ${reason}` : '.'
}

// Where vendors put the sentence in a body of JSON, the most telling first; `error` and `detail` may hold another object.
const sentenceFields = ['message', 'err_msg', 'error_message', 'description', 'detail', 'error', 'title']

/** The sentence in a body of JSON; any other body as it is. */
function sentenceIn(body: string): string {
  try {
    return sentenceOf(JSON.parse(body)) ?? body
  } catch {
    return body
  }
}

function sentenceOf(told: unknown): string | undefined {
  if (typeof told === 'string') return told.trim() || undefined
  if (Array.isArray(told)) return sentenceOf(told[0])
  if (typeof told !== 'object' || told === null) return undefined
  const fields: Readonly<Record<string, unknown>> = { ...told }
  for (const name of sentenceFields) {
    const sentence = sentenceOf(fields[name])
    if (sentence !== undefined) return sentence
  }
  return undefined
}
