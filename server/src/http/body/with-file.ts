// Step 6 for requests that may carry a file: stores the file, validates the rest like any other request, and removes
// what the operation did not take.
import { rm } from 'node:fs/promises'
import type { InputOf, Operation } from '@parley/contract'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { fail } from '../failure.ts'
import { parseJson } from './body.ts'
import type { FileTray, IncomingFile, ReceivedForm } from './file-tray.ts'
import { inputOf, validate } from './validate.ts'

export async function withFile<O extends Operation, T>(
  operation: O,
  request: FastifyRequest,
  tray: FileTray | undefined,
  act: (input: InputOf<O>, file: IncomingFile | undefined) => Promise<T>,
): Promise<T> {
  const received = await tray?.receive(operation, request)
  if (!received) return act(await inputOf(operation, request), undefined)
  const { file, fields } = received
  try {
    if (!(operation.body instanceof z.ZodObject)) mustBeAlone(received)
    const body = operation.body instanceof z.ZodObject ? valuesOf(operation.body, fields) : undefined
    return await act(validate(operation, request, body), file)
  } finally {
    await rm(file.path, { force: true })
  }
}

/** Refuses fields beside the file of an operation that takes nothing else. */
function mustBeAlone({ fields }: ReceivedForm): void {
  const details = Object.keys(fields).map((path) => ({
    path,
    message: 'This key is not part of the interface.',
  }))
  if (details.length > 0) fail('VALIDATION_ERROR', { details })
}

// Converts form fields, which are all text, to the values they would have in a JSON body.

/** A value of the wrong type stays text and is refused by its schema. */
function valuesOf(schema: z.ZodObject, fields: Readonly<Record<string, string[]>>): Record<string, unknown> {
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
