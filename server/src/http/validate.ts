// Step 6: validates the request against the contract. All faults of all parts are listed by path.
import type { Fault, InputOf, Operation } from '@parley/contract'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { jsonOf } from './body.ts'
import { Failure } from './failure.ts'
import { sentenceFor } from './fault-messages.ts'

/** Reads the body, and validates everything. A body that may be a form is left to the operation itself. */
export async function inputOf<O extends Operation>(
  operation: O,
  request: FastifyRequest,
): Promise<InputOf<O>> {
  const isRead = operation.method !== 'GET' && !operation.form
  return validate(operation, request, isRead ? await jsonOf(request) : undefined)
}

export function validate<O extends Operation>(
  operation: O,
  request: Pick<FastifyRequest, 'params' | 'query'>,
  given: unknown,
): InputOf<O> {
  const { params, query } = operation
  const body = operation.form ? undefined : operation.body
  // A missing body usually means a wrong content type, so that is reported before any other fault.
  if (body && given === undefined) {
    throw new Failure('VALIDATION_ERROR', {
      details: [{ path: '', message: 'A JSON body is required, sent as application/json.' }],
    })
  }
  const faults: Fault[] = []
  const input = {
    params: parsed(params, request.params, faults),
    query: parsed(query, request.query, faults),
    body: parsed(body, given, faults),
  }
  if (faults.length > 0) throw new Failure('VALIDATION_ERROR', { details: faults })
  return input as InputOf<O>
}

function parsed(schema: z.ZodType | undefined, value: unknown, faults: Fault[]): unknown {
  if (!schema) return undefined
  const outcome = schema.safeParse(value)
  faults.push(...faultsIn(outcome))
  return outcome.data
}

/** All faults, by path. */
export const faultsIn = (outcome: z.ZodSafeParseResult<unknown>): Fault[] =>
  outcome.success ? [] : outcome.error.issues.flatMap(faultsOf)

function faultsOf(issue: z.core.$ZodIssue): Fault[] {
  const keys = issue.code === 'unrecognized_keys' ? issue.keys : [undefined]
  return keys.map((key) => ({
    path: [...issue.path, ...(key === undefined ? [] : [key])].join('.'),
    message: sentenceFor(issue),
  }))
}
