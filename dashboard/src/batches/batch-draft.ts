// The draft of a new batch, and the form that it is sent as.
import type { Tree } from '../ui/forms/tree.ts'

export interface NewBatchDraft extends Tree {
  name: string
  agent_id: string
  from_phone_number: string
  /** The time as a date field of the browser writes it: local, without an offset. */
  starts: string
  max_concurrency: number | undefined
  calling_window: { start_time: string; end_time: string; timezone: string; days: string[] }
  retry_config: { retry_on: string[]; max_retries: number | undefined; minutes: number | undefined }
}

const workdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday']

export const newBatchDraft = (): NewBatchDraft => ({
  name: '',
  agent_id: '',
  from_phone_number: '',
  starts: '',
  max_concurrency: undefined,
  calling_window: {
    start_time: '',
    end_time: '',
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    days: workdays,
  },
  retry_config: { retry_on: [], max_retries: 1, minutes: 30 },
})

const everyDay = 7

/** The calling window. Undefined: at any time. Days that are chosen without hours count as whole days. */
function windowOf(hours: NewBatchDraft['calling_window']): NewBatchDraft['calling_window'] | undefined {
  const { start_time, end_time, days } = hours
  if (start_time === '' && end_time === '' && days.length === everyDay) return undefined
  return { ...hours, start_time: start_time || '00:00', end_time: end_time || '24:00' }
}

/** Empty fields are left out; values that are not text are sent as JSON. */
export function formOf(draft: NewBatchDraft, file: File | undefined): FormData {
  const { calling_window: hours, retry_config: retry, starts } = draft
  const { max_retries = 1, minutes = 30, retry_on } = retry
  const fields = {
    name: draft.name,
    agent_id: draft.agent_id,
    from_phone_number: draft.from_phone_number,
    schedule_time: starts && new Date(starts).toISOString(),
    max_concurrency: draft.max_concurrency,
    calling_window: windowOf(hours),
    retry_config: retry_on.length > 0 ? { max_retries, retry_on, intervals_minutes: [minutes] } : undefined,
  }
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === '') continue
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  // Last, so that the server has the settings before the long part arrives.
  if (file) form.set('file', file)
  return form
}
