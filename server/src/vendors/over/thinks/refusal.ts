// A server's error response, in one sentence and without secrets.
import { z } from 'zod'
import { ModelError } from './model-error.ts'
import { parsedJson } from './protocol.ts'

/** The name of a field that was refused is the last of its path. */
const Faults = z
  .array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() }))
  .min(1)
  .transform(([first]) => ({
    message: `${first?.loc.join('.')}: ${first?.msg}`,
    param: first?.loc.at(-1)?.toString() ?? null,
  }))

/** What servers say, in the shapes in which they say it. */
const Complaint = z.object({
  message: z.string(),
  param: z.string().nullish(),
  details: z
    .array(z.object({ retryDelay: z.string().optional(), reason: z.string().optional() }))
    .optional()
    .catch(undefined),
})
const Told = z.union([
  // OpenAI, Anthropic, Gemini.
  z.object({ error: Complaint }).transform(({ error }) => error),
  // Gemini, to clients that have not asked for events.
  z.tuple([z.object({ error: Complaint })]).transform(([{ error }]) => error),
  // Ollama.
  z.object({ error: z.string() }).transform(({ error }) => ({ message: error, param: null })),
  // Mistral.
  z.object({ message: z.object({ detail: Faults }) }).transform(({ message }) => message.detail),
  z.object({ detail: Faults }).transform(({ detail }) => detail),
  Complaint,
  z.object({ detail: z.string() }).transform(({ detail }) => ({ message: detail, param: null })),
])

// Enough for a log line; some servers send a whole page.
const longestReasonChars = 200
// Anthropic's own status for a service that is overloaded.
const overloaded = 529

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
  const complaint = readComplaint(parsedJson(body))
  const reason = cleaned(complaint?.message ?? '', apiKey)
  const details = complaint && 'details' in complaint ? (complaint.details ?? []) : []
  const isAboutKey = details.some((detail) => detail.reason === 'API_KEY_INVALID')
  const isAboutRequest = !isAboutKey && (status === 400 || status === 422)
  const told = (kind: ModelError['kind'], what: string) =>
    new ModelError(kind, `${who} ${what}${reason && `: ${reason}`}`, {
      retryAfterMs: waitOf(retryAfter ?? delayIn(details)),
      refusal: isAboutRequest
        ? { reason: complaint?.message ?? '', param: complaint?.param ?? undefined }
        : undefined,
    })
  if (status < 300) return told('garbled', 'did not answer with an event stream')
  if (status < 400) return told('refused', `is somewhere else (${status})`)
  if (status === 401 || status === 403 || isAboutKey)
    return told('refused', `does not accept the API key (${status})`)
  if (status === 404) return told('refused', 'does not exist there (404)')
  if (status === 429) return told('busy', 'has had too many requests (429)')
  if (status === overloaded) return told('busy', `is overloaded (${status})`)
  if (status >= 500) return told('busy', `failed (${status})`)
  return told('refused', `refused the request (${status})`)
}

/** An error in the middle of an answer, after the status was sent. */
export function complaintOf(who: string, error: unknown, apiKey: string | undefined): ModelError {
  const { message } = readComplaint({ error }) ?? { message: 'no reason given' }
  return new ModelError('busy', `${who} broke off: ${cleaned(message, apiKey)}`)
}

const readComplaint = (value: unknown) => Told.safeParse(value).data

function cleaned(reason: string, apiKey: string | undefined): string {
  const open = apiKey ? reason.replaceAll(apiKey, '…') : reason
  return open
    .replace(/\b(?:Bearer\s+\S+|(?:sk|key|gsk|pk)[-_]\S+|AIza\S+)/gi, '…')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, longestReasonChars)
    .replace(/\.$/, '')
}

/** As in Google's RetryInfo: "30s". */
const delayIn = (details: readonly { retryDelay?: string | undefined }[]): string | undefined =>
  details.find(({ retryDelay }) => retryDelay)?.retryDelay?.replace(/s$/, '')

/** Seconds; a date is further away than a caller waits. */
const waitOf = (retryAfter: string | undefined): number | undefined =>
  retryAfter && /^\d+(\.\d+)?$/.test(retryAfter) ? Number(retryAfter) * 1000 : undefined
