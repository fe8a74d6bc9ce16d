// Step 1, continued: from bytes to JSON that every later reader, the database included, can take.
import { isUtf8 } from 'node:buffer'
import { type Fault, limits } from '@parley/contract'
import { fail } from './failure.ts'

export function parseJson(bytes: Buffer): unknown {
  // An operation without a body may still carry the header.
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) fail('INVALID_JSON', { message: 'The body is not UTF-8.' })
  const text = bytes.toString('utf8')
  if (isTooDeep(text)) {
    fail('INVALID_JSON', { message: `The body is nested more than ${limits.jsonDepth} levels deep.` })
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    fail('INVALID_JSON', { cause: error })
  }
  if (mayBeHostile.test(text)) {
    const details = hostileParts(value)
    if (details.length > 0) fail('VALIDATION_ERROR', { details })
  }
  return value
}

// Only text that contains one of these can hide what hostileParts looks for, and almost none does.
const mayBeHostile = /\\u|__proto__|[eE]\+?\d{3}|\d{300}/

/** Counts brackets outside strings; cheaper than parsing, and safe at any depth. */
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

function hostileParts(value: unknown, path = ''): Fault[] {
  if (typeof value === 'string') {
    return isStorable(value)
      ? []
      : [{ path, message: 'Contains a NUL character or half of a surrogate pair.' }]
  }
  if (typeof value === 'number') {
    return Number.isFinite(value) ? [] : [{ path, message: 'Is too large for a number.' }]
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = path ? `${path}.${key}` : key
    if (key === '__proto__') return [{ path: at, message: 'This key is not allowed.' }]
    if (!isStorable(key))
      return [{ path, message: 'Has a key with a NUL character or half of a surrogate pair.' }]
    return hostileParts(inner, at)
  })
}

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
