// Converts form fields, which are all text, to the values they would have in a JSON body.
import type { z } from 'zod'
import { fail } from '../failure.ts'
import { parseJson } from './body.ts'

/** A value of the wrong type stays text and is refused by its schema. */
export function valuesOf(
  schema: z.ZodObject,
  fields: Readonly<Record<string, string[]>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, texts]) => {
      const plain = name.replace(/\[\]$/, '')
      return [plain, readValue(kindOf(schema.shape[plain] as z.ZodType | undefined), plain, texts)]
    }),
  )
}

function readValue(kind: string | undefined, name: string, texts: string[]): unknown {
  const [text = ''] = texts
  if (kind === 'array') return texts.length === 1 && text.startsWith('[') ? readJson(name, text) : texts
  if (texts.length > 1) {
    return fail('VALIDATION_ERROR', { details: [{ path: name, message: 'Must be there once only.' }] })
  }
  if (kind === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
  if (kind === 'number' && /^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  return kind === 'object' ? readJson(name, text) : text
}

/** Unwraps optional and default. */
function kindOf(schema: z.ZodType | undefined): string | undefined {
  const { type, innerType } = (schema?.def ?? {}) as { type?: string; innerType?: z.ZodType }
  return innerType ? kindOf(innerType) : type
}

function readJson(name: string, text: string): unknown {
  try {
    return parseJson(Buffer.from(text))
  } catch {
    return fail('VALIDATION_ERROR', { details: [{ path: name, message: 'Must be JSON.' }] })
  }
}
