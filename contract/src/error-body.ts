// The body of every refusal.
import { z } from 'zod'
import { type ErrorCode, errors } from './errors.ts'
import { Text } from './words.ts'

export const Fault = z
  .strictObject({
    path: Text.meta({
      description: 'Where the fault is, as in agent_config.agent_name; empty for the whole body.',
      // A path may be any text: the name of an unknown query parameter is repeated as it was sent, even if it contains a NUL.
      pattern: '^[\\s\\S]*$',
    }),
    message: Text.describe('What is wrong there, in one sentence.'),
  })
  .meta({ id: 'Fault', description: 'One thing that is wrong with a request.' })

export type Fault = z.infer<typeof Fault>

export const ErrorBody = z
  .strictObject({
    status: z.literal('error').describe('Tells a refusal from a success.'),
    code: z
      .enum(Object.keys(errors) as [ErrorCode, ...ErrorCode[]])
      .describe('Branch on this. [Every code](/docs/errors) with its cause and what to do about it.'),
    message: Text.describe('One sentence for a person; it may change.'),
    details: z
      .array(Fault)
      .max(10_000)
      .describe('One row for each fault, by its path; empty where there is nothing to point at.'),
    request_id: z.string().max(128).meta({
      pattern: '^[A-Za-z0-9._-]+$',
      description: 'Names this request in the log; the X-Request-Id that was sent, if there was one.',
    }),
  })
  .meta({ id: 'Error', description: 'The body of every refusal.' })

export type ErrorBody = z.infer<typeof ErrorBody>
