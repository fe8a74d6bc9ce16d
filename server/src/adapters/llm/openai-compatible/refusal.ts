// A server's error response, in one sentence and without secrets.
import { z } from 'zod'
import { ModelError } from './model-error.ts'

/** OpenAI's `{error: {message}}`, and the bare strings that other servers send instead. */
const Complaint = z.object({ message: z.string(), param: z.string().nullish() })
const Told = z.union([
  z.object({ error: Complaint }).transform(({ error }) => error),
  z.object({ error: z.string() }).transform(({ error }) => ({ message: error, param: null })),
  Complaint,
  z.object({ detail: z.string() }).transform(({ detail }) => ({ message: detail, param: null })),
])

// Enough for a log line; some servers send a whole page.
const longestReasonChars = 200

export interface Refused {
  /** As used in a sentence: "the language model llama3 at localhost:11434". */
  readonly who: string
  readonly status: number
  readonly retryAfter: string | undefined
  readonly body: string
  /** Redacted, even if the server echoes it. */
  readonly apiKey: string | undefined
}

export function refusalOf({ who, status, retryAfter, body, apiKey }: Refused): ModelError {
  const complaint = complaintIn(body)
  const reason = cleaned(complaint?.message ?? '', apiKey)
  const told = (kind: ModelError['kind'], what: string) =>
    new ModelError(kind, `${who} ${what}${reason && `: ${reason}`}`, {
      retryAfterMs: waitOf(retryAfter),
      param: complaint?.param ?? undefined,
    })
  if (status < 300) return told('garbled', 'did not answer with an event stream')
  if (status < 400) return told('refused', `is somewhere else (${status})`)
  if (status === 401 || status === 403) return told('refused', `does not accept the API key (${status})`)
  if (status === 404) return told('refused', 'does not exist there (404)')
  if (status === 429) return told('busy', 'has had too many requests (429)')
  if (status >= 500) return told('busy', `failed (${status})`)
  return told('refused', `refused the request (${status})`)
}

/** An error in the middle of an answer, after the status was sent. */
export function complaintOf(who: string, error: unknown, apiKey: string | undefined): ModelError {
  const { message } = readComplaint({ error }) ?? { message: 'no reason given' }
  return new ModelError('busy', `${who} broke off: ${cleaned(message, apiKey)}`)
}

function complaintIn(body: string) {
  try {
    return readComplaint(JSON.parse(body))
  } catch {
    return undefined
  }
}

const readComplaint = (value: unknown) => Told.safeParse(value).data

function cleaned(reason: string, apiKey: string | undefined): string {
  const open = apiKey ? reason.replaceAll(apiKey, '…') : reason
  return open
    .replace(/\b(?:Bearer\s+\S+|(?:sk|key|gsk|pk)[-_]\S+)/gi, '…')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, longestReasonChars)
    .replace(/\.$/, '')
}

/** Seconds; a date is further away than a caller waits. */
const waitOf = (retryAfter: string | undefined): number | undefined =>
  retryAfter && /^\d+(\.\d+)?$/.test(retryAfter) ? Number(retryAfter) * 1000 : undefined
