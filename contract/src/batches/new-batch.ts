// A batch as it is requested: which agent calls, whom, when and how often.
import { z } from 'zod'
import { CallTarget, PhoneNumber, Variables } from '../calls/call.ts'
import { batchBodyBytes, batchRecipients } from '../limits.ts'
import { Id, Open, Text, Timestamp } from '../words.ts'

const knownZones = new Map<string, boolean>()

/** Whether a time zone exists. Answers are cached: Intl is slow, and a list has a hundred thousand rows with a handful of zones. */
function isTimeZone(name: string): boolean {
  const known = knownZones.get(name)
  if (known !== undefined) return known
  let found = true
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
  } catch {
    found = false
  }
  // The cache is bounded, because the names come from requests.
  if (found || knownZones.size < 10_000) knownZones.set(name, found)
  return found
}

// The longest name of a time zone, longer than any in the zone database.
export const TimeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'Must be a time zone, such as Europe/Paris.')
  .meta({
    description: 'A name of the IANA time zone database, such as Europe/Paris.',
    pattern: '^[A-Za-z0-9_+:/-]+$',
  })

export const weekdays = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const

export const Weekday = z.enum(weekdays)

export const CallingWindow = z
  .strictObject({
    timezone: TimeZone.default('UTC').meta({
      description: 'For recipients without a time zone of their own, a name such as Europe/Paris.',
    }),
    days: z
      .array(Weekday)
      .min(1)
      .max(7)
      .default([...weekdays])
      .describe('The days of the week on which calls begin; every day if left out.'),
    start_time: z
      .string()
      .max(5)
      .regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 'A time of the day, as in 09:00.')
      .describe('From then on calls begin: hours and minutes, as in 09:00.'),
    end_time: z
      .string()
      .max(5)
      .regex(/^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$/, 'A time of the day, as in 18:30, or 24:00.')
      .describe('From then on no call begins: hours and minutes, as in 18:30, or 24:00.'),
  })
  .refine(({ start_time, end_time }) => start_time !== end_time, {
    path: ['end_time'],
    error: 'Must be another time than start_time.',
  })
  .meta({
    id: 'CallingWindow',
    description:
      'Calls begin only between these hours of the recipient’s own clock. An end before the start is on the next day.',
  })
export type CallingWindow = z.infer<typeof CallingWindow>

export const RetryOn = z.enum(['no-answer', 'busy', 'failed', 'voicemail'])

export const RetryConfig = z
  .strictObject({
    max_retries: z.int().min(0).max(10).default(1).describe('How many further attempts a recipient gets.'),
    retry_on: z
      .array(RetryOn)
      .max(4)
      .default(['no-answer', 'busy'])
      .describe('After which results there is another attempt.'),
    intervals_minutes: z.array(z.number().min(0).max(10_080)).min(1).max(10).default([30]).meta({
      description:
        'Minutes before the first further attempt, the second, and so on; the last one counts for the rest.',
    }),
  })
  .meta({ id: 'RetryConfig', description: 'Whether and when recipients are called again.' })
export type RetryConfig = z.infer<typeof RetryConfig>

export const NewRecipient = z
  .strictObject({
    to_phone_number: CallTarget,
    recipient_id: Text.min(1)
      .max(256)
      .optional()
      .meta({ description: 'Yours; unique in the batch. Left out: one is made.' }),
    name: Text.max(1_024).nullish().meta({ description: 'Fills the placeholder {name}. Left out: none.' }),
    variables: Variables.optional().describe(
      "Values of the `{placeholders}` in the agent's texts, by name. Left out: none.",
    ),
    timezone: TimeZone.nullish().describe(
      'For the calling window: a name of the IANA time zone database, such as Europe/Paris. Left out: that of the window.',
    ),
    metadata: Open.optional().describe('Yours; goes with the call. Left out: that of the batch.'),
  })
  .meta({ id: 'NewRecipient', description: 'Somebody to call.' })
export type NewRecipient = z.infer<typeof NewRecipient>

export const MaxConcurrency = z.int().min(1).max(100_000)

const settings = {
  name: Text.min(1).max(1_024).describe('For people; it need not be unique.'),
  agent_id: Id.describe('The agent that calls.'),
  schedule_time: Timestamp.nullish().meta({
    description:
      'When calling begins, RFC 3339 with an offset, in the future. Left out: nobody is called before the batch is executed.',
  }),
  from_phone_number: PhoneNumber.nullish().meta({
    description:
      'The number to call from, in E.164 form: one of this workspace’s own, or any if all calls are simulated; not together with `phone_number_id`. Left out: that of the agent, else the oldest of the workspace.',
  }),
  phone_number_id: Id.nullish().describe(
    'The stored number to call from, see `createPhoneNumber`. Left out: that of the agent, else the oldest of the workspace.',
  ),
  max_concurrency: MaxConcurrency.nullish().meta({
    description: 'How many calls of this batch run at a time. Left out: as many as the workspace may have.',
  }),
  calling_window: CallingWindow.nullish().describe('The hours in which calls begin. Left out: at any time.'),
  retry_config: RetryConfig.nullish().describe(
    'Whether recipients are called again. Left out: they are not.',
  ),
  metadata: Open.optional().meta({
    description: 'Yours; goes with every call whose recipient has none. Left out: empty.',
  }),
}

const oneNumber = (batch: {
  from_phone_number?: string | null | undefined
  phone_number_id?: string | null | undefined
}) => batch.from_phone_number == null || batch.phone_number_id == null
const oneNumberFault = {
  path: ['phone_number_id'],
  error: 'Give from_phone_number or phone_number_id, not both.',
}

/** Everything but the recipients, which are read as a stream. */
export const BatchSettings = z.strictObject(settings).refine(oneNumber, oneNumberFault)
export type BatchSettings = z.infer<typeof BatchSettings>

export const NewBatch = z
  .strictObject({
    ...settings,
    recipients: z.array(NewRecipient).min(1).max(batchRecipients).describe('Who is called, in this order.'),
  })
  .refine(oneNumber, oneNumberFault)
  .describe('A batch as it is created.')

const inJson = (about: string) =>
  Text.optional().describe(`${about}, as JSON. Left out: as in the JSON body.`)

/** The settings as form fields: every value that is not a string is sent as JSON. */
export const NewBatchForm = z
  .strictObject({
    file: z.string().max(batchBodyBytes).meta({
      format: 'binary',
      description:
        'CSV with a header. Its column to_phone_number is required; recipient_id, name and timezone are known, and every other column becomes a variable.',
    }),
    name: settings.name,
    agent_id: settings.agent_id,
    schedule_time: settings.schedule_time,
    from_phone_number: settings.from_phone_number,
    phone_number_id: settings.phone_number_id,
    max_concurrency: inJson('How many calls of this batch run at a time'),
    calling_window: inJson('The hours in which calls begin, a CallingWindow'),
    retry_config: inJson('Whether recipients are called again, a RetryConfig'),
    metadata: inJson('Yours, an object'),
  })
  .describe('A batch with its recipients in a file; every field that is not a text is written as JSON.')
