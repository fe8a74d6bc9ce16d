// Reads the server-sent events of a response, until the connection ends for whatever reason.

/** The pause before a lost connection is opened again. */
export const reconnectAfterMs = 1_000

export interface ServerSentEvent {
  readonly id: string
  readonly event: string
  readonly data: string
}

export async function* readEvents({ body }: Response): AsyncGenerator<ServerSentEvent> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  try {
    for (;;) {
      const chunk = await reader?.read().catch(() => undefined)
      if (!chunk || chunk.done) return
      const blocks = (text + chunk.value).split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = parse(block)
        if (event) yield event
      }
    }
  } finally {
    await reader?.cancel().catch(() => {})
  }
}

/** The event in one block of lines. Undefined for comments and for fields about the connection, such as `retry`. */
function parse(block: string): ServerSentEvent | undefined {
  const fields = new Map(
    block.split('\n').map((line) => {
      const at = line.indexOf(': ')
      return [line.slice(0, at), line.slice(at + 2)] as const
    }),
  )
  const [id, event, data] = ['id', 'event', 'data'].map((name) => fields.get(name))
  return id === undefined || event === undefined || data === undefined ? undefined : { id, event, data }
}
