// Describes what is wrong with a field, for a person.
import type { z } from 'zod'

const kinds: Record<string, string> = {
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

const formats: Record<string, string> = {
  guid: 'a UUID',
  url: 'a whole address, such as https://example.com/path',
  email: 'an e-mail address',
  datetime: 'a time in RFC 3339 with an offset, such as 2026-01-31T09:30:00Z',
}

/** zod's message where the contract has none of its own. */
const unworded = 'Invalid input'
const unwordedPattern = /^Invalid string/

export function sentenceFor(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined && /undefined$/.test(issue.message)
        ? 'Is required.'
        : `Must be ${kinds[issue.expected] ?? issue.expected}.`
    case 'too_small':
      if (issue.minimum === 1 && issue.origin !== 'number' && issue.origin !== 'int')
        return 'Must not be empty.'
      return `Must be at least ${issue.minimum}${unitOf(issue.origin)}.`
    case 'too_big':
      return `Must be at most ${issue.maximum}${unitOf(issue.origin)}.`
    case 'invalid_value':
      return `Must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map((value) => String(value)).join(', ')}.`
    case 'invalid_key':
      return issue.issues[0] ? sentenceFor(issue.issues[0]) : issue.message
    case 'invalid_format':
      if (issue.format === 'regex' && !unwordedPattern.test(issue.message)) return issue.message
      return `Must be ${formats[issue.format] ?? `of the form ${issue.pattern ?? issue.format}`}.`
    case 'unrecognized_keys':
      return 'This key is not part of the interface.'
    case 'invalid_union':
      return issue.message === unworded ? 'Must have one of the documented forms.' : issue.message
    default:
      return issue.message
  }
}

const unitOf = (origin: string): string => {
  if (origin === 'string') return ' characters long'
  return origin === 'array' ? ' items long' : ''
}
