// The steps of a ladder: for each SIP message its first line, shortened, and when it came. Pure.
import type { CallSip } from '@parley/contract'

type Message = CallSip['messages'][number]

export interface Rung {
  /** Whether the message went from us to the trunk. */
  readonly out: boolean
  readonly kind: 'request' | 'trying' | 'success' | 'redirect' | 'refusal'
  /** The first line in short, such as INVITE or 200 OK. */
  readonly first: string
  /** Details at a glance, such as the method that an answer belongs to. */
  readonly more: string
  /** Milliseconds after the first message. */
  readonly atMs: number
  /** Whether the same message was sent before. */
  readonly again: boolean
  readonly text: string
}

const statusLine = /^SIP\/2\.0 (\d{3}) ?(.*)$/

const headerOf = (text: string, name: RegExp): string | undefined =>
  text
    .split(/\r?\n\r?\n/, 1)[0]
    ?.split(/\r?\n/)
    .find((line) => name.test(line))
    ?.replace(name, '')
    .trim()

function kindOf(code: number): Rung['kind'] {
  if (code < 200) return 'trying'
  if (code < 300) return 'success'
  return code < 400 ? 'redirect' : 'refusal'
}

function rungOf({ direction, text }: Message): Pick<Rung, 'out' | 'kind' | 'first' | 'more' | 'text'> {
  const out = direction === 'out'
  const line = text.split(/\r?\n/, 1)[0] ?? ''
  const sound = /\r?\nm=audio /.test(text) ? ' (SDP)' : ''
  const answer = statusLine.exec(line)
  if (!answer) return { out, kind: 'request', first: line.split(' ', 1)[0] ?? line, more: sound.trim(), text }
  const [, code = '', reason = ''] = answer
  const method = headerOf(text, /^cseq\s*:/i)?.split(/\s+/)[1] ?? ''
  return {
    out,
    kind: kindOf(Number(code)),
    first: `${code} ${reason}`.trim(),
    more: `${method}${sound}`,
    text,
  }
}

export function ladderOf(messages: readonly Message[]): Rung[] {
  const startMs = Date.parse(messages[0]?.at ?? '')
  const seen = new Set<string>()
  return messages.map((message) => {
    const key = `${message.direction} ${message.text}`
    const again = seen.has(key)
    seen.add(key)
    return { ...rungOf(message), atMs: Date.parse(message.at) - startMs, again }
  })
}
