// Telephone numbers of a workspace: which agent takes their calls, and the trunk that carries them.
import { z } from 'zod'
import { MaxConcurrency } from '../batches/new-batch.ts'
import { PhoneNumber } from '../calls/call.ts'
import { Id, Text, Timestamp } from '../words.ts'
import { ShownCredentials, SipCredentials, SipCredentialsChange } from './trunk.ts'

/** Carriers that are known by name. Their SIP trunks are connected with `sip`. */
export const carriersByTrunk = ['twilio', 'plivo', 'telnyx', 'vonage', 'exotel'] as const

export const NumberProvider = z.enum(['sip', 'sandbox'])
export type NumberProvider = z.infer<typeof NumberProvider>

export const AnyNumberProvider = z.enum([...NumberProvider.options, ...carriersByTrunk])
export type AnyNumberProvider = z.infer<typeof AnyNumberProvider>

export const NumberStatus = z.enum(['active', 'inactive'])
export type NumberStatus = z.infer<typeof NumberStatus>

const Label = Text.min(1).max(120)

const changeable = {
  label: Label.nullish().describe('Yours; for people. Left out or null: none.'),
  inbound_agent_id: Id.nullish().describe(
    'The agent that takes calls to this number, and calls through its trunk to numbers without one. Left out or null: they are refused.',
  ),
  outbound_agent_id: Id.nullish().describe(
    'The agent whose calls go out from this number when they name none. Left out or null: no agent’s in particular.',
  ),
  status: NumberStatus.optional().describe(
    'An inactive number neither calls nor is answered. Left out: active.',
  ),
  max_concurrency: MaxConcurrency.nullish().describe(
    'How many calls it has at a time, in both directions together; further ones wait, and callers hear that it is busy. Left out or null: as many as the workspace may have.',
  ),
}

export const NewPhoneNumber = z
  .strictObject({
    phone_number: PhoneNumber.describe('In E.164 form, such as +4930901820. The caller id of its calls.'),
    provider: AnyNumberProvider.describe(
      '`sip`: a SIP trunk or a PBX. `sandbox`: simulated calls only. Twilio, Plivo, Telnyx, Vonage and Exotel are connected by their SIP trunks, with `sip`; their own names are refused.',
    ),
    credentials: SipCredentials.nullish().describe('The trunk. Needed with `sip`; `sandbox` has none.'),
    ...changeable,
  })
  .meta({ id: 'NewPhoneNumber', description: 'A telephone number as it is created.' })
export type NewPhoneNumber = z.infer<typeof NewPhoneNumber>

export const PhoneNumberChange = z
  .strictObject({
    ...changeable,
    credentials: SipCredentialsChange.optional().describe(
      'Changes of the trunk; fields that are not sent stay. Another `host` needs the `password` again.',
    ),
  })
  .meta({
    id: 'PhoneNumberChange',
    description: 'Changes of a telephone number: only the fields that are sent.',
  })
export type PhoneNumberChange = z.infer<typeof PhoneNumberChange>

export const NumberRegistration = z
  .strictObject({
    state: z
      .enum(['registering', 'registered', 'failed'])
      .describe('`failed`: its calls do not come in; it is tried again with growing pauses.'),
    reason: Text.nullable().describe('Why it failed, in a sentence. null: it did not.'),
    since: Timestamp.describe('When it came to this state.'),
  })
  .meta({ id: 'NumberRegistration', description: 'How the registration of a number at its trunk stands.' })
export type NumberRegistration = z.infer<typeof NumberRegistration>

export const StoredPhoneNumber = z
  .strictObject({
    phone_number_id: Id.describe('Names the number in every other request.'),
    phone_number: Text.describe('In E.164 form.'),
    provider: NumberProvider.describe('What carries its calls.'),
    label: Text.nullable().describe('Yours. null: none.'),
    inbound_agent_id: Id.nullable().describe('Takes its calls. null: they are refused.'),
    outbound_agent_id: Id.nullable().describe('Whose calls go out from it. null: no agent’s in particular.'),
    status: NumberStatus.describe('Whether it calls and is answered.'),
    max_concurrency: MaxConcurrency.nullable().describe(
      'How many calls it has at a time. null: as many as the workspace may have.',
    ),
    credentials: ShownCredentials.nullable().describe('The trunk. null: a number of the sandbox.'),
    registration: NumberRegistration.nullable().describe(
      'How its registration stands. null: it does not register, or no process has a telephone line.',
    ),
    created_at: Timestamp.describe('When it was created.'),
    updated_at: Timestamp.describe('When it last changed.'),
  })
  .meta({ id: 'PhoneNumber', description: 'A telephone number of the workspace.' })
export type StoredPhoneNumber = z.infer<typeof StoredPhoneNumber>

export const NumberCheck = z
  .strictObject({
    ok: z.boolean().describe('Whether calls can be made through it now.'),
    registered: z
      .boolean()
      .nullable()
      .describe('Whether it is registered. null: it needs no registration, or that is not known.'),
    options_ms: z
      .number()
      .min(0)
      .nullable()
      .describe('Milliseconds until the trunk answered a question (OPTIONS). null: it did not.'),
    message: Text.describe('What was found, and what to do if something is wrong, in sentences.'),
  })
  .meta({ id: 'NumberCheck', description: 'What is known about the trunk of a number at this moment.' })
export type NumberCheck = z.infer<typeof NumberCheck>
