// A fetch whose event streams always end with an answer: if one ends before the question is answered, an error is
// added. The official client would wait until its time-out, and the caller with it.

type Fetch = typeof globalThis.fetch

// The JSON-RPC code with which the client names a closed connection.
const connectionClosed = -32_000

/** Adds an error for the question to the end of each stream; the client ignores it after an answer. */
export const answeredFetch =
  (fetch: Fetch): Fetch =>
  async (address, init) => {
    const response = await fetch(address, init)
    const id = idOf(init?.body)
    const isStream = response.headers.get('content-type')?.includes('text/event-stream')
    if (id === undefined || !isStream || !response.body) return response
    const { status, statusText, headers } = response
    const body = ReadableStream.from(withLastWord(response.body, id))
    return new Response(body, { status, statusText, headers })
  }

/** The id of the question; undefined for a notification, which is not answered. */
function idOf(body: unknown): string | number | undefined {
  return typeof body === 'string' ? (JSON.parse(body) as { id?: string | number }).id : undefined
}

/** Passes a stream on and adds the error. The client itself resumes a stream whose events have ids. */
async function* withLastWord(
  stream: AsyncIterable<Uint8Array>,
  id: string | number,
): AsyncGenerator<Uint8Array> {
  let isResumable = false
  let line = ''
  let why = 'it ended the connection without an answer'
  try {
    for await (const chunk of stream) {
      line += Buffer.from(chunk).toString('latin1')
      isResumable ||= /^id:/m.test(line)
      line = line.slice(line.lastIndexOf('\n') + 1)
      yield chunk
    }
  } catch (error) {
    // The client knows better why it aborted, or why it was too late.
    if (isResumable || ['AbortError', 'TimeoutError'].includes((error as Error).name)) throw error
    why = `the connection broke off: ${(error as Error).message}`
  }
  if (isResumable) return
  const error = { code: connectionClosed, message: why }
  yield Buffer.from(`\n\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, error })}\n\n`)
}
