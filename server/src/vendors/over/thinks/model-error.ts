// Why a language model gave no answer: a kind for the retry logic, a sentence for the call record.

import { z } from 'zod'
import { ConnectError, codeOf, describeSocketError } from '../../../platform/guard/connect-error.ts'
import { type FinishReason, parsedJson, type RequestRefusal } from './protocol.ts'

/**
 * `busy`: worth a retry in a moment. `refused`: the same request will be refused again.
 * `late`, `gone`, `garbled`: timeout, no connection, unparseable answer.
 */
export type ModelErrorKind = 'busy' | 'refused' | 'late' | 'gone' | 'garbled'

export class ModelError extends Error {
  readonly kind: ModelErrorKind
  /** The server's Retry-After, if it sent one. */
  readonly retryAfterMs: number | undefined
  /** What the server says about a request that it refuses; undefined: it is not about the request. */
  readonly refusal: RequestRefusal | undefined

  constructor(
    kind: ModelErrorKind,
    message: string,
    more: ErrorOptions & { retryAfterMs?: number | undefined; refusal?: RequestRefusal | undefined } = {},
  ) {
    super(message, more)
    this.kind = kind
    this.retryAfterMs = more.retryAfterMs
    this.refusal = more.refusal
  }
}

/** From an error that undici or the guard threw. */
export function broken(who: string, error: unknown): ModelError {
  if (error instanceof ModelError) return error
  const told = (kind: ModelError['kind'], what: string) =>
    new ModelError(kind, `${who} ${what}`, { cause: error })
  const code = codeOf(error)
  if (['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(code))
    return told('gone', 'broke the connection off')
  if (/^(HPE|UND_ERR_(?!CONNECT))/.test(code)) return told('garbled', `does not answer in HTTP (${code})`)
  const reason = error instanceof ConnectError ? error : describeSocketError(error)
  return told(reason.kind === 'refused' ? 'refused' : 'gone', `cannot be reached: ${reason.message}`)
}

/** From an answer that ended too early. */
export function unfinished(who: string, finishReason: FinishReason | undefined, spoken: boolean): ModelError {
  if (finishReason === 'length') {
    return new ModelError('refused', `${who} used up max_tokens before it said anything`)
  }
  if (finishReason === 'content_filter') {
    return new ModelError('refused', `${who} held its answer back (content_filter)`)
  }
  if (finishReason) return new ModelError('garbled', `${who} answered nothing`)
  if (spoken) return new ModelError('gone', `${who} broke off in the middle of its answer`)
  return new ModelError('garbled', `${who} did not answer with an event stream`)
}

/** The name of a field that was refused is the last of its path. */
const Faults = z
  .array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() }))
  .min(1)
  .transform(([first]) => ({
    message: `${first?.loc.join('.')}: ${first?.msg}`,
    param: first?.loc.at(-1)?.toString() ?? null,
  }))

/** Error bodies, in the shapes of the servers. */
const Complaint = z.object({
  message: z.string(),
  param: z.string().nullish(),
  code: z.string().nullish().catch(undefined),
  details: z
    .array(z.object({ retryDelay: z.string().optional(), reason: z.string().optional() }))
    .optional()
    .catch(undefined),
})
const ServerComplaint = z.union([
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
// OpenAI's code for an account without money, under the status of one that asks too often.
const unpaid = 'insufficient_quota'

interface RefusedRequest {
  /** As used in a sentence: "the language model llama3 at localhost:11434". */
  readonly who: string
  readonly status: number
  readonly retryAfter: string | undefined
  readonly body: string
  /** Redacted, even if the server echoes it. */
  readonly apiKey: string | undefined
}

export function refusedRequest({ who, status, retryAfter, body, apiKey }: RefusedRequest): ModelError {
  const complaint = readComplaint(parsedJson(body))
  const reason = cleaned(complaint?.message ?? '', apiKey)
  const details = complaint && 'details' in complaint ? (complaint.details ?? []) : []
  const isAboutKey = details.some((detail) => detail.reason === 'API_KEY_INVALID')
  const isUnpaid = complaint && 'code' in complaint && complaint.code === unpaid
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
  if (isUnpaid) return told('refused', `has no quota left (${status})`)
  if (status === 408) return told('busy', 'gave up on the request (408)')
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

const readComplaint = (value: unknown) => ServerComplaint.safeParse(value).data

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

/** From seconds or from a date, the two forms of Retry-After. */
function waitOf(retryAfter: string | undefined): number | undefined {
  if (!retryAfter) return undefined
  if (/^\d+(\.\d+)?$/.test(retryAfter)) return Number(retryAfter) * 1_000
  const atMs = Date.parse(retryAfter)
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - Date.now())
}
