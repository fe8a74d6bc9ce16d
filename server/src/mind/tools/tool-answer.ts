// Reads the answer of a tool: fields that become variables, and secrets that are never repeated.
import type { ToolAnswerRules } from '../../ports/call-plan.ts'

export interface ToolAnswer {
  readonly text: string
  readonly ok: boolean
  /** The whole answer: parsed JSON, or the text. */
  readonly data?: unknown
}

// The most that a model can read without losing focus.
const mostCharacters = 16_384

export const cut = (text: string): string =>
  text.length > mostCharacters ? `${text.slice(0, mostCharacters)} … (cut)` : text

/** The variables whose fields are in the answer; a failure has none. */
export function savedFrom(
  { ok, data }: ToolAnswer,
  { save }: Pick<ToolAnswerRules, 'save'>,
): Readonly<Record<string, string>> {
  if (!ok) return {}
  const savedFields = Object.entries(save).map(
    ([name, path]) => [name, wordsOf(fieldAt(data, path))] as const,
  )
  return Object.fromEntries(savedFields.filter(([, words]) => words !== undefined)) as Record<string, string>
}

/** The value at a path such as order.items.0.id; `$` is the whole answer, and may also begin a path. */
export function fieldAt(data: unknown, path: string): unknown {
  const steps = path
    .replace(/^\$\.?/, '')
    .split('.')
    .filter(Boolean)
  return valueAlong(data, steps)
}

/** The value that is reached by these keys, one inside the other. */
export const valueAlong = (data: unknown, keys: readonly string[]): unknown =>
  keys.reduce((at, key) => {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    return (at as Readonly<Record<string, unknown>>)[key]
  }, data)

// Shorter secrets occur in ordinary words.
const leastSecret = 6

/** Replaces the secrets of the tool, also where a header has a scheme before its token. */
export function withoutSecrets(text: string, { secrets }: Pick<ToolAnswerRules, 'secrets'>): string {
  const all = secrets.flatMap((secret) => [secret, secret.replace(/^\w+\s+/, '')])
  return all
    .filter((secret) => secret.length >= leastSecret)
    .toSorted((one, other) => other.length - one.length)
    .reduce((left, secret) => left.replaceAll(secret, '…'), text)
}

function wordsOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** An answer that is not JSON is a text. */
export function dataOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
