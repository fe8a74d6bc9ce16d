// Reads a page from an address that a user gave: through the guard, with a few redirects, bounded in bytes and time.
import { request } from 'undici'
import { DownloadError, unread } from './download.ts'
import type { Guard } from './guard/guard.ts'

export interface FetchedPage {
  /** The address after redirects. */
  readonly url: string
  readonly content: Buffer
  /** The media type without parameters; empty if the server sent none. */
  readonly mediaType: string
  /** How long Cache-Control lets it be kept; null: it does not say. */
  readonly maxAgeSeconds: number | null
}

export interface PageLimits {
  readonly bytes: number
  readonly ms: number
}

// Usual redirects lead from http to https, from one name to another, and to a language.
const mostRedirects = 5

/** Throws a DownloadError. */
export async function fetchPage(
  guard: Guard,
  address: string,
  limits: PageLimits,
  signal: AbortSignal,
): Promise<FetchedPage> {
  const late = AbortSignal.timeout(limits.ms)
  try {
    let url = address
    for (let left = mostRedirects; left >= 0; left--) {
      const answer = await fetchOnce(guard, url, limits.bytes, AbortSignal.any([signal, late]))
      if ('content' in answer) return answer
      url = answer.location
    }
    throw new DownloadError(`The address ${address} redirects more than ${mostRedirects} times.`, true)
  } catch (error) {
    signal.throwIfAborted()
    if (late.aborted && !(error instanceof DownloadError))
      throw new DownloadError(`The address did not answer within ${limits.ms / 1_000} seconds.`, false)
    throw unread(error)
  }
}

async function fetchOnce(
  guard: Guard,
  address: string,
  mostBytes: number,
  signal: AbortSignal,
): Promise<FetchedPage | { readonly location: string }> {
  const verdict = guard.check(address)
  if (!verdict.ok) throw new DownloadError(`The address ${address} is refused: ${verdict.reason}`, true)
  const { statusCode, headers, body } = await request(verdict.url, {
    dispatcher: guard.dispatcher,
    signal,
    headers: { accept: 'text/html, text/*;q=0.9, */*;q=0.5', 'user-agent': 'Parley/1.0' },
    // Our own deadline applies.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const leave = () => void body.on('error', () => {}).destroy()
  const location = headers.location?.toString()
  if (statusCode >= 300 && statusCode < 400 && location) {
    leave()
    const next = URL.parse(location, verdict.url.href)
    if (!next) throw new DownloadError(`The address ${address} redirects to nowhere.`, true)
    return { location: next.href }
  }
  if (statusCode !== 200) {
    leave()
    throw new DownloadError(
      `The address ${address} answered ${statusCode}.`,
      statusCode < 500 && statusCode !== 429,
    )
  }
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > mostBytes) {
      leave()
      throw new DownloadError(`The page is larger than ${Math.round(mostBytes / 1024 ** 2)} MB.`, true)
    }
    chunks.push(chunk)
  }
  const mediaType = headers['content-type']?.toString().split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const maxAgeSeconds = maxAgeOf(headers['cache-control']?.toString() ?? '')
  return { url: verdict.url.href, content: Buffer.concat(chunks), mediaType, maxAgeSeconds }
}

function maxAgeOf(cacheControl: string): number | null {
  if (/\bno-(?:store|cache)\b/i.test(cacheControl)) return 0
  const seconds = /\bmax-age\s*=\s*"?(\d{1,10})/i.exec(cacheControl)?.[1]
  return seconds === undefined ? null : Number(seconds)
}
