// Step 6 where a file may come along: the file is laid down, the rest is checked as any other request, and what the
// operation did not take is removed.
import { rm } from 'node:fs/promises'
import type { InputOf, Operation } from '@parley/contract'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { valuesOf } from './form-fields.ts'
import type { Upload, Uploads } from './upload.ts'
import { validate } from './validate.ts'

export async function withUpload<O extends Operation, T>(
  operation: O,
  request: FastifyRequest,
  uploads: Uploads | undefined,
  act: (input: InputOf<O>, upload: Upload | undefined) => Promise<T>,
): Promise<T> {
  const received = await uploads?.receive(operation, request)
  try {
    if (received && operation.body instanceof z.ZodObject) {
      request.body = valuesOf(operation.body, received.fields)
    }
    return await act(validate(operation, request), received?.upload)
  } finally {
    if (received) await rm(received.upload.path, { force: true })
  }
}
