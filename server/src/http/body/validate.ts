// Step 6: validates the request against the contract. All faults of all parts are listed by path.
import type { Fault, InputOf, Operation } from '@parley/contract'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { Failure } from '../failure.ts'
import { jsonOf } from './body.ts'
import { sentenceFor } from './fault-messages.ts'
import { nearestKey } from './nearest-key.ts'

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
  faults.push(...faultsIn(outcome, schema))
  return outcome.data
}

/** All faults, by path. */
export const faultsIn = (outcome: z.ZodSafeParseResult<unknown>, schema: z.ZodType): Fault[] =>
  outcome.success ? [] : outcome.error.issues.flatMap((issue) => faultsOf(issue, schema))

// A body may have a hundred thousand unknown keys; a client that mistyped has a few.
const mostTypos = 20

function faultsOf(issue: z.core.$ZodIssue, schema: z.ZodType): Fault[] {
  const message = sentenceFor(issue)
  if (issue.code !== 'unrecognized_keys') return [{ path: issue.path.join('.'), message }]
  return issue.keys.map((key, at) => {
    const nearest = at < mostTypos ? nearestKey(schema, issue.path, key) : undefined
    return {
      path: [...issue.path, key].join('.'),
      message: nearest === undefined ? message : `${message} Did you mean ${nearest}?`,
    }
  })
}
