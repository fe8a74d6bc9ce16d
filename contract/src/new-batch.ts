// What is asked for with a batch: who calls, whom, when and how often.
import { z } from 'zod'
import { CallTarget, PhoneNumber, Variables } from './call.ts'
import { batchBodyBytes, batchRecipients } from './limits.ts'
import { Id, Open, Text, Timestamp } from './words.ts'

const knownZones = new Map<string, boolean>()

/** Cached: Intl is slow, and a list has a hundred thousand rows with a handful of zones. */
function isTimeZone(name: string): boolean {
  const known = knownZones.get(name)
  if (known !== undefined) return known
  let found = true
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
  } catch {
    found = false
  }
  // Bounded, because the names come from requests.
  if (found || knownZones.size < 10_000) knownZones.set(name, found)
  return found
}

// Longer than any name in the zone database.
const TimeZone = z.string().max(64).refine(isTimeZone, 'Must be a time zone, such as Europe/Paris.').meta({
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
      description: 'For recipients without a time zone of their own.',
    }),
    days: z
      .array(Weekday)
      .min(1)
      .max(7)
      .default([...weekdays]),
    start_time: z
      .string()
      .max(5)
      .regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 'A time of the day, as in 09:00.'),
    end_time: z
      .string()
      .max(5)
      .regex(/^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$/, 'A time of the day, as in 18:30, or 24:00.'),
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
    max_retries: z.int().min(0).max(10).default(1),
    retry_on: z.array(RetryOn).max(4).default(['no-answer', 'busy']),
    intervals_minutes: z.array(z.number().min(0).max(10_080)).min(1).max(10).default([30]).meta({
      description: 'Before the first retry, the second, and so on; the last one counts for the rest.',
    }),
  })
  .meta({ id: 'RetryConfig' })
export type RetryConfig = z.infer<typeof RetryConfig>

export const NewRecipient = z
  .strictObject({
    to_phone_number: CallTarget,
    recipient_id: Text.min(1)
      .max(256)
      .optional()
      .meta({ description: 'Yours; unique in the batch. Made if left out.' }),
    name: Text.max(1_024).nullish().meta({ description: 'Also fills the placeholder {name}.' }),
    variables: Variables.optional(),
    timezone: TimeZone.nullish(),
    metadata: Open.optional(),
  })
  .meta({ id: 'NewRecipient' })
export type NewRecipient = z.infer<typeof NewRecipient>

export const MaxConcurrency = z.int().min(1).max(100_000)

const settings = {
  name: Text.min(1).max(1_024),
  agent_id: Id,
  schedule_time: Timestamp.nullish().meta({
    description:
      'RFC 3339 with an offset, in the future. Left out: nobody is called before the batch is executed.',
  }),
  from_phone_number: PhoneNumber.nullish().meta({
    description: 'E.164. Not together with phone_number_id.',
  }),
  phone_number_id: Id.nullish(),
  max_concurrency: MaxConcurrency.nullish().meta({
    description: 'Calls of this batch at a time; left out: as many as the workspace may have.',
  }),
  calling_window: CallingWindow.nullish(),
  retry_config: RetryConfig.nullish(),
  metadata: Open.optional().meta({ description: 'Goes with every call whose recipient has none.' }),
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
  .strictObject({ ...settings, recipients: z.array(NewRecipient).min(1).max(batchRecipients) })
  .refine(oneNumber, oneNumberFault)

const inJson = (about: string) => Text.optional().meta({ description: `${about}, as JSON.` })

/** The same as form fields: every value that is not a string is sent as JSON. */
export const NewBatchForm = z.strictObject({
  file: z.string().max(batchBodyBytes).meta({
    format: 'binary',
    description:
      'CSV with a header. Its column to_phone_number is required; recipient_id, name and timezone are known, and every other column becomes a variable.',
  }),
  name: settings.name,
  agent_id: Id,
  schedule_time: settings.schedule_time,
  from_phone_number: settings.from_phone_number,
  phone_number_id: settings.phone_number_id,
  max_concurrency: inJson('A whole number'),
  calling_window: inJson('A CallingWindow'),
  retry_config: inJson('A RetryConfig'),
  metadata: inJson('An object'),
})
