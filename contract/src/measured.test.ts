// A body in which any value is replaced by an object with a length of its own is refused, and never throws.
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import * as contract from './index.ts'
import type { Operation } from './operation.ts'

const operations = Object.values(contract)
  .flatMap((named: unknown) => (Array.isArray(named) ? named : [named]) as unknown[])
  .filter(
    (one): one is Operation => typeof one === 'object' && one !== null && 'body' in one && 'access' in one,
  )
const withBodies = [...new Set(operations)].filter(({ body }) => body !== undefined)

const paths = (value: unknown): string[][] =>
  typeof value === 'object' && value !== null
    ? [[], ...Object.entries(value).flatMap(([key, inner]) => paths(inner).map((path) => [key, ...path]))]
    : [[]]

/** The value with something else at the path. */
const replaced = (value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown => {
  if (key === undefined) return by
  const changed = structuredClone(value) as Record<string, unknown>
  changed[key] = replaced(changed[key], rest, by)
  return changed
}

describe.each(withBodies.map((one) => [one.id, one] as const))('%s', (_id, { body, example }) => {
  const schema = body as z.ZodType
  /** Also the fields that the example leaves out. */
  const fields = 'shape' in schema ? Object.keys(schema.shape as object).map((key) => [key]) : []

  it.each([
    ['is no number', { length: { toString: null } }],
    ['is one', { length: 1e9 }],
  ])('takes no object whose length %s for a text', (_what, poison) => {
    for (const path of [...paths(example?.body), ...fields]) {
      const { error } = schema.safeParse(replaced(example?.body ?? {}, path, poison))
      const here = error?.issues.filter((issue) => issue.path.join('.') === path.join('.')) ?? []
      expect(here.map(({ code }) => code)).not.toContain('too_big')
    }
  })
})
