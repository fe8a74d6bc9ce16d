// Every failure the interface can answer with: code → [status, sentence].
import { z } from 'zod'
import { Text } from './words.ts'

export const errors = {
  VALIDATION_ERROR: [400, 'The request does not match the interface; details lists every fault.'],
  INVALID_JSON: [400, 'The body is not valid JSON.'],
  PAYLOAD_TOO_LARGE: [400, 'The body is larger than this operation accepts.'],
  UNSUPPORTED_CONTENT_TYPE: [400, 'Send the body as application/json.'],
  MALFORMED_REQUEST: [400, 'The request is not well-formed HTTP.'],
  IDEMPOTENCY_KEY_REQUIRED: [
    400,
    'Every POST needs an Idempotency-Key header, unique per logical operation.',
  ],
  UNSUPPORTED_EVENT: [400, 'Only the event call.completed can be subscribed to.'],
  WEBHOOK_URL_NOT_PUBLIC: [400, 'A webhook needs a public https address.'],
  WEBHOOK_DISABLED: [400, 'This webhook is disabled; set its status to active first.'],
  AGENT_NOT_ACTIVE: [400, 'This agent takes no calls; its status must be active.'],
  CALL_STATE_CONFLICT: [400, 'This call has ended already.'],
  URL_NOT_PUBLIC: [400, 'Only public https addresses are allowed here.'],
  NOT_AUDIO: [400, 'There is no sound in this file that can be read.'],
  OPTION_NOT_SERVED: [400, 'The configured engine cannot serve this option; details names the mend.'],
  TRANSCRIPT_NOT_READY: [400, 'This transcript is not completed; its text can be read when it is.'],
  BATCH_STATE_CONFLICT: [400, 'The batch is in a state in which this cannot be done.'],
  API_KEY_MISSING: [401, 'Send your API key in the X-Api-Key header.'],
  API_KEY_INVALID: [401, 'This API key is not known.'],
  API_KEY_INACTIVE: [401, 'This API key has been revoked.'],
  BEARER_NOT_SUPPORTED: [401, 'The Bearer scheme is not accepted; send the key itself in X-Api-Key.'],
  SESSION_REQUIRED: [401, 'Sign in to the dashboard first.'],
  LOGIN_FAILED: [401, 'The e-mail address or the password is wrong.'],
  WORKSPACE_ACCESS_DENIED: [403, 'This credential has no access to that workspace.'],
  WORKSPACE_CONFLICT: [403, 'X-Workspace-Id names another workspace than the one this API key is bound to.'],
  CSRF_TOKEN_INVALID: [403, 'The X-CSRF-Token header is missing or does not belong to this session.'],
  ROLE_REQUIRED: [403, 'Only an administrator may do this.'],
  RECORDING_LINK_INVALID: [
    403,
    'This address is not valid, or no longer; read the call again for a new one.',
  ],
  AGENT_NOT_FOUND: [404, 'There is no agent with this id in this workspace.'],
  CALL_NOT_FOUND: [404, 'There is no call with this id in this workspace.'],
  BATCH_NOT_FOUND: [404, 'There is no batch with this id in this workspace.'],
  PHONE_NUMBER_NOT_FOUND: [404, 'There is no phone number with this id in this workspace.'],
  RECORDING_NOT_FOUND: [404, 'There is no recording of this call, or no longer.'],
  WEBHOOK_NOT_FOUND: [404, 'There is no webhook with this id in this workspace.'],
  DELIVERY_NOT_FOUND: [404, 'There is no delivery with this id at this webhook.'],
  FILE_NOT_FOUND: [404, 'There is no file with this id in this workspace, or no longer.'],
  TRANSCRIPT_NOT_FOUND: [404, 'There is no transcript with this id in this workspace.'],
  WORKSPACE_NOT_FOUND: [404, 'There is no workspace with this id.'],
  API_KEY_NOT_FOUND: [404, 'There is no API key with this id.'],
  USER_NOT_FOUND: [404, 'There is no user with this id.'],
  ROUTE_NOT_FOUND: [404, 'There is no operation at this address.'],
  WORKSPACE_SCOPE_REQUIRED: [411, 'This API key is not bound to a workspace; name one in X-Workspace-Id.'],
  RATE_LIMITED: [429, 'Too many requests; retry after the time in Retry-After.'],
  INTERNAL_ERROR: [500, 'Something went wrong on our side; the request id names it in the log.'],
  RESOURCE_IN_USE: [400, 'This resource is still in use.'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>

export type ErrorCode = keyof typeof errors

export const Fault = z
  .strictObject({
    path: Text.meta({
      description: 'Where the fault is, as in agent_config.agent_name; empty for the whole body.',
      // Any text: the name of an unknown query parameter is repeated as it was sent, even if it contains a NUL.
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
