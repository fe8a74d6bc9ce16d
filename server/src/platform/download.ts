// Downloads a file from a user-supplied URL: through the guard, no redirects, bounded in bytes and time.
import { createWriteStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { request } from 'undici'
import { ConnectError } from './guard/connect-error.ts'
import type { Guard } from './guard/guard.ts'

export interface Download {
  readonly url: string
  readonly path: string
  readonly limitBytes: number
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** The message is one sentence for the user; `permanent`: retrying the same URL will not help. */
export class DownloadError extends Error {
  readonly permanent: boolean

  constructor(message: string, permanent: boolean, options?: ErrorOptions) {
    super(message, options)
    this.permanent = permanent
  }
}

export async function download(guard: Guard, { url, path, limitBytes, timeoutMs, signal }: Download) {
  const verdict = guard.check(url)
  if (!verdict.ok) throw new DownloadError(`The address is refused: ${verdict.reason}`, true)
  const ours = new AbortController()
  const leave = () => ours.abort(signal.reason)
  signal.addEventListener('abort', leave)
  const late = new DownloadError(
    `The address did not give the file within ${timeoutMs / 1000} seconds.`,
    false,
  )
  const timer = setTimeout(() => ours.abort(late), timeoutMs)
  try {
    const { statusCode, headers, body } = await request(verdict.url, {
      dispatcher: guard.dispatcher,
      signal: ours.signal,
      headers: { accept: '*/*', 'user-agent': 'Parley/1.0' },
      // Our own deadline applies.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const refusal = refusalOf(statusCode, Number(headers['content-length'] ?? 0), limitBytes)
    if (refusal) {
      // Destroying it emits an error.
      body.on('error', () => {}).destroy()
      throw refusal
    }
    await pipeline(body, counted(limitBytes), createWriteStream(path, { mode: 0o600 }))
  } catch (error) {
    signal.throwIfAborted()
    if (ours.signal.aborted) throw late
    throw unread(error)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', leave)
  }
}

/** What a user is told of an error of a request. */
export function unread(error: unknown): DownloadError {
  if (error instanceof DownloadError) return error
  const refused = error instanceof ConnectError && error.kind === 'refused'
  const why = error instanceof ConnectError ? error.message : 'the connection broke'
  return new DownloadError(`The address could not be read: ${why}.`, refused, { cause: error })
}

function refusalOf(status: number, bytes: number, limitBytes: number): DownloadError | undefined {
  if (status === 200) return bytes > limitBytes ? tooLarge(limitBytes) : undefined
  if (status >= 300 && status < 400)
    return new DownloadError(`The address answered ${status}; redirects are not followed.`, true)
  return new DownloadError(`The address answered ${status}.`, status < 500 && status !== 429)
}

const tooLarge = (limitBytes: number) =>
  new DownloadError(`The file at the address is larger than ${Math.round(limitBytes / 1024 ** 2)} MB.`, true)

function counted(limitBytes: number): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk, _encoding, done) {
      bytes += chunk.length
      if (bytes > limitBytes) done(tooLarge(limitBytes))
      else done(null, chunk)
    },
  })
}
