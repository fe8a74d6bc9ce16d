// A SIP message → bytes. Content-Length is always written here, from the body.
import type { SipMessage } from './message.ts'

const encoder = new TextEncoder()

export function printMessage(message: SipMessage): Uint8Array {
  const start =
    message.kind === 'request'
      ? `${message.method} ${message.uri} SIP/2.0`
      : `SIP/2.0 ${message.status} ${message.reason}`
  const lines = [start]
  for (const { name, value } of message.headers)
    if (name !== 'Content-Length') lines.push(`${name}: ${value}`)
  lines.push(`Content-Length: ${message.body.length}`, '', '')
  const head = encoder.encode(lines.join('\r\n'))
  if (message.body.length === 0) return head
  const bytes = new Uint8Array(head.length + message.body.length)
  bytes.set(head)
  bytes.set(message.body, head.length)
  return bytes
}
