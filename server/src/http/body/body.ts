// Step 6: reads the body and parses JSON that every later consumer, including the database, can handle.
import { isUtf8 } from 'node:buffer'
import { type Fault, limits } from '@parley/contract'
import type { FastifyRequest } from 'fastify'
import { fail } from '../failure.ts'
import { bodyChunks, hasBody } from './body-stream.ts'

/** Undefined if the body is empty, whatever its content type: many clients send one with every POST. */
export async function jsonOf({ raw, headers }: Pick<FastifyRequest, 'raw' | 'headers'>): Promise<unknown> {
  if (!hasBody(headers)) return undefined
  const declared = Number(headers['content-length'] ?? 0)
  const chunks: Buffer[] = []
  let length = 0
  if (declared > 0) mustBeJson(headers)
  if (declared > limits.bodyBytes) fail('PAYLOAD_TOO_LARGE')
  for await (const chunk of bodyChunks(raw)) {
    // Without a declared length, a body is known not to be empty only when it has been read.
    if (declared === 0 && length === 0) mustBeJson(headers)
    length += chunk.length
    if (length > limits.bodyBytes) fail('PAYLOAD_TOO_LARGE')
    chunks.push(chunk)
  }
  return parseJson(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))
}

export const isJson = (contentType: string | undefined): boolean =>
  /^\s*application\/json\s*(;|$)/i.test(contentType ?? '')

function mustBeJson(headers: FastifyRequest['headers']): void {
  if (!isJson(headers['content-type'])) fail('UNSUPPORTED_CONTENT_TYPE')
  mustBePlain(headers)
}

export function mustBePlain(headers: FastifyRequest['headers']): void {
  if (![undefined, '', 'identity'].includes(headers['content-encoding']?.toLowerCase())) {
    fail('UNSUPPORTED_CONTENT_TYPE', { message: 'Send the body without a Content-Encoding.' })
  }
}

/** `path`: its position, if it is part of something larger. */
export function parseJson(bytes: Buffer, path = ''): unknown {
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) fail('INVALID_JSON', { message: 'The body is not UTF-8.' })
  const text = bytes.toString('utf8')
  if (bytes.length > scannedAboveBytes && isTooDeep(text)) tooDeep()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    fail('INVALID_JSON', { cause: error })
  }
  const faults: Fault[] = []
  inspect(value, path, 0, faults)
  if (faults.length > 0) fail('VALIDATION_ERROR', { details: faults })
  return value
}

// Parsing half a million brackets takes 300 ms, so the depth of a large body is counted first. A small one is harmless,
// and inspect() finds the depth.
const scannedAboveBytes = 16_384

/** Counts brackets outside strings. */
function isTooDeep(text: string): boolean {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (inString) {
      if (character === backslash) at++
      else if (character === quote) inString = false
    } else if (character === quote) inString = true
    else if (character === openBrace || character === openBracket) {
      if (++depth > limits.jsonDepth) return true
    } else if (character === closeBrace || character === closeBracket) depth--
  }
  return false
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [
  0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d,
]

const tooDeep = (): never =>
  fail('INVALID_JSON', { message: `The body is nested more than ${limits.jsonDepth} levels deep.` })

/** Finds values that parse but cannot be stored, in one traversal. */
export function inspect(value: unknown, path: string, depth: number, faults: Fault[]): void {
  if (typeof value === 'string') {
    if (!isStorable(value))
      faults.push({ path, message: 'Contains a NUL character or half of a surrogate pair.' })
    return
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) faults.push({ path, message: 'Is too large for a number.' })
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (depth >= limits.jsonDepth) tooDeep()
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++)
      inspect(value[at], path === '' ? `${at}` : `${path}.${at}`, depth + 1, faults)
    return
  }
  for (const key in value) {
    const at = path === '' ? key : `${path}.${key}`
    if (key === '__proto__') faults.push({ path: at, message: 'This key is not allowed.' })
    else if (isStorable(key)) inspect((value as Record<string, unknown>)[key], at, depth + 1, faults)
    else faults.push({ path, message: 'Has a key with a NUL character or half of a surrogate pair.' })
  }
}

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
