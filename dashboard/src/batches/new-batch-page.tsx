// Creates a batch from a file: which agent calls whom, and when.
import type { dashboard } from '@parley/contract'
import { voiceAddresses as voice } from '@parley/contract/addresses'
import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useAgentNames } from '../agents/agents.tsx'
import { api, Refusal } from '../api.ts'
import { go } from '../router.tsx'
import { Button, ButtonLink } from '../ui/controls/button.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { ChecksField, SelectField } from '../ui/forms/choice-fields.tsx'
import { NumberField, TextField } from '../ui/forms/fields.tsx'
import { Form, useField, useForm } from '../ui/forms/form.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { Pair, Section } from '../ui/layout/section.tsx'
import { useBatchRefresh } from './batch.ts'
import { formOf, type NewBatchDraft, newBatchDraft } from './batch-draft.ts'
import { ConfirmBatchDialog } from './confirm-batch-dialog.tsx'
import { CsvFileField, type Sheet, sentText } from './csv-file-field.tsx'
import { previewCsv } from './csv-preview.ts'

const retryWords = {
  'no-answer': 'Nobody answered',
  busy: 'Busy',
  voicemail: 'A machine answered',
  failed: 'The call failed',
}

export function NewBatchPage({ workspace }: { workspace: dashboard.Workspace }) {
  const workspaceId = workspace.workspace_id
  const names = useAgentNames(workspaceId) ?? {}
  const refresh = useBatchRefresh()
  const toast = useToast()
  const form = useForm<NewBatchDraft>(newBatchDraft())
  const [sheet, setSheet] = useState<Sheet>()
  const [confirming, setConfirming] = useState(false)
  const preview = useMemo(() => sheet && previewCsv(sentText(sheet)), [sheet])
  const create = useMutation({
    mutationFn: (draft: NewBatchDraft) => api.createBatch(workspaceId, formOf(draft, sheet && fileOf(sheet))),
    // The form shows the faults at their fields.
    onError: () => setConfirming(false),
    onSuccess: ({ batch_id, name }) => {
      refresh()
      toast(`${name} created`)
      go(`/batches/${batch_id}`, { replace: true })
    },
  })
  const faultOfFile =
    create.error instanceof Refusal
      ? create.error.faults.find(({ path }) => path === 'file' || path === 'recipients')?.message
      : undefined
  return (
    <>
      <PageHeader
        title="New batch"
        lead={`In ${workspace.name}. Nobody is called before you start it, or before its time.`}
        back={{ to: '/batches', label: 'Batches' }}
      />
      <Form
        form={form}
        error={create.error}
        needs={voice.createBatch}
        onSubmit={() => setConfirming(true)}
        className=""
      >
        <Section
          title="Recipients"
          lead="A CSV file whose first line names its columns. One of them has the telephone numbers; the others fill the placeholders of the agent's words."
        >
          <CsvFileField
            sheet={sheet}
            preview={preview}
            fault={faultOfFile}
            onChange={(chosen) => {
              setSheet(chosen)
              if (form.values.name === '') form.set('name', chosen.name.replace(/\.csv$/i, ''))
            }}
          />
        </Section>
        <Section
          title="Who calls"
          lead="The agent as it is when each call begins, and the number that people see."
        >
          <TextField path="name" label="Name" placeholder="Reminders, week 12" autoComplete="off" />
          <Pair>
            <SelectField path="agent_id" label="Agent" options={names} none="Choose an agent" />
            <TextField
              path="from_phone_number"
              label="Call from"
              placeholder="+15550199"
              hint="Optional. With its country code, such as +15550100."
              inputMode="tel"
              autoComplete="off"
            />
          </Pair>
        </Section>
        <Section title="When" lead="Hours are those of each recipient's own clock, daylight saving included.">
          <Pair>
            <TextField
              path="starts"
              label="Starts at"
              type="datetime-local"
              hint="Your own time. Empty: when you start it."
            />
            <NumberField
              path="max_concurrency"
              label="At a time"
              unit="calls"
              min={1}
              hint="Empty: as many as the workspace may have."
            />
          </Pair>
          <Pair>
            <TextField
              path="calling_window.start_time"
              label="Not before"
              type="time"
              hint="Empty: at any hour."
            />
            <TextField path="calling_window.end_time" label="Not after" type="time" />
          </Pair>
          <TextField
            path="calling_window.timezone"
            label="Time zone"
            placeholder="Europe/Paris"
            hint="For recipients without a time zone of their own."
            autoComplete="off"
            spellCheck={false}
          />
          <DaysField path="calling_window.days" label="Days" />
        </Section>
        <Section title="Retries" lead="Who is called again, how often, and after how long.">
          <ChecksField path="retry_config.retry_on" label="Call again when" options={retryWords} />
          <Pair>
            <NumberField path="retry_config.max_retries" label="At most" unit="times" />
            <NumberField path="retry_config.minutes" label="After" unit="minutes" />
          </Pair>
        </Section>
        <div className="sticky bottom-0 -mx-1 flex justify-end gap-2 border-t border-line bg-canvas px-1 py-4">
          <ButtonLink kind="plain" to="/batches">
            Cancel
          </ButtonLink>
          <Button
            type="submit"
            kind="primary"
            needs={voice.createBatch}
            disabled={preview === undefined || preview.rows === 0}
          >
            Review
          </Button>
        </div>
      </Form>
      {confirming && preview && (
        <ConfirmBatchDialog
          workspaceId={workspaceId}
          agentId={form.values.agent_id}
          preview={preview}
          starts={form.values.starts}
          busy={create.isPending}
          onConfirm={() => create.mutate(form.values)}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  )
}

const fileOf = (sheet: Sheet): File => new File([sentText(sheet)], sheet.name, { type: 'text/csv' })

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

function DaysField({ path, label }: { path: string; label: string }) {
  const { value, set, fault } = useField(path)
  const chosen = Array.isArray(value) ? value : []
  const toggle = (day: string) => set(days.filter((one) => chosen.includes(one) !== (one === day)))
  return (
    <fieldset>
      <legend className="mb-1.5 text-[0.8125rem] font-medium">{label}</legend>
      <div className="grid grid-cols-4 gap-1.5 sm:grid-cols-7">
        {days.map((day) => (
          <label
            key={day}
            className="flex h-9 items-center justify-center rounded-md border border-edge text-[0.8125rem] font-medium text-muted capitalize shadow-card transition-colors select-none hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-checked:text-accent-ink has-focus-visible:outline-2 has-focus-visible:outline-accent sm:h-8"
          >
            <input
              type="checkbox"
              aria-label={day}
              checked={chosen.includes(day)}
              onChange={() => toggle(day)}
              className="sr-only"
            />
            {day.slice(0, 3)}
          </label>
        ))}
      </div>
      {fault && <p className="mt-1.5 text-[0.8125rem] text-bad">{fault}</p>}
    </fieldset>
  )
}
