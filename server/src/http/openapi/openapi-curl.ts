// A curl command for each operation, from its example. It runs as it is in a shell in which $KEY is an API key.
import type { Operation } from '@parley/contract'
import type { Face } from './openapi-face.ts'

/** The address of `make run`. A served document has the address that it was requested at in its place. */
export const sampleOrigin = 'http://localhost:8080'
export const sampleFile = 'meeting.mp3'

export function curlSample(operation: Operation, face: Face): string {
  const { method, answers, example = {} } = operation
  const isGet = method === 'GET'
  const parts = [
    `curl${answers === 'event-stream' ? ' -N' : ''}${isGet ? '' : ` -X ${method}`} ${quoted(addressOf(operation, face))}`,
    `-H "${face.key.name}: $KEY"`,
    ...(method === 'POST' && face.replays ? ['-H "Idempotency-Key: $(openssl rand -hex 16)"'] : []),
    ...bodyOf(operation, example),
  ]
  return parts.join(' \\\n  ')
}

function addressOf({ path, example: { params = {}, query = {} } = {} }: Operation, { prefix }: Face): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''))
  const search = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `${sampleOrigin}${prefix}${filled}${search.length > 0 ? '?' : ''}${search.join('&')}`
}

function bodyOf({ body, file }: Operation, example: NonNullable<Operation['example']>): string[] {
  if (file !== 'none') {
    const fields = Object.entries(example.form ?? {}).map(
      ([name, value]) => `-F ${quoted(`${name}=${value}`)}`,
    )
    return [`-F file=@${sampleFile}`, ...fields]
  }
  if (!body) return []
  return [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(example.body, null, 2))}`]
}

/** Quotes a text for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
