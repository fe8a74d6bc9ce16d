// Step 6 for requests that may carry a file: stores the file, validates the rest like any other request, and removes
// what the operation did not take.
import { rm } from 'node:fs/promises'
import type { InputOf, Operation } from '@parley/contract'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { fail } from '../failure.ts'
import type { FileTray, IncomingFile, Received } from './file-tray.ts'
import { valuesOf } from './form-fields.ts'
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

/** For an operation that takes the file and nothing else. */
function mustBeAlone({ fields }: Received): void {
  const details = Object.keys(fields).map((path) => ({
    path,
    message: 'This key is not part of the interface.',
  }))
  if (details.length > 0) fail('VALIDATION_ERROR', { details })
}
