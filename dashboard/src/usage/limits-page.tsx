// What a workspace may call and use. Owners of the installation change it.
import type { dashboard } from '@parley/contract'
import { useMutation } from '@tanstack/react-query'
import { useLeaveGuard } from '../router.tsx'
import { LinesField, listOfLines, NumberField } from '../ui/forms/fields.tsx'
import { Form, useForm } from '../ui/forms/form.tsx'
import { SaveBar } from '../ui/forms/save-bar.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { Pair, Section } from '../ui/layout/section.tsx'
import { ownersOnly, useSaveWorkspace } from './workspace-form.tsx'

export function LimitsPage({ workspace }: { workspace: dashboard.Workspace }) {
  const before = limitsOf(workspace)
  const form = useForm(before)
  const changed = JSON.stringify(form.values) !== JSON.stringify(before)
  const saving = useSaveWorkspace(workspace)
  const save = useMutation({ mutationFn: saving, onSuccess: (saved) => form.replace(limitsOf(saved)) })
  useLeaveGuard(changed)
  return (
    <>
      <PageHeader
        title="Limits"
        lead={`What ${workspace.name} may call and use. A call beyond a limit is refused with a sentence that names it.`}
        back={{ to: '/usage', label: 'Usage' }}
      />
      <Form
        form={form}
        error={save.error}
        needs={ownersOnly}
        onSubmit={(values) => save.mutate(values)}
        className="space-y-0"
      >
        <Section title="Calls" lead="Calls that are dialled. Simulated ones do not count.">
          <NumberField
            path="max_concurrency"
            label="Calls at once"
            hint="In both directions."
            unit="calls"
            {...none}
          />
          <Pair>
            <NumberField path="calls_per_minute" label="Calls a minute" unit="calls" {...none} />
            <NumberField path="calls_per_day" label="Calls a day" unit="calls" {...none} />
          </Pair>
        </Section>
        <Section title="Use" lead="Of all calls on a day. Days are those of UTC.">
          <Pair>
            <NumberField path="minutes_per_day" label="Minutes a day" unit="minutes" {...none} />
            <NumberField
              path="cost_per_day"
              label="Cost a day"
              unit={workspace.prices?.currency ?? ''}
              hint={workspace.prices ? undefined : 'Counts once the workspace has prices.'}
              {...none}
            />
          </Pair>
        </Section>
        <Section title="Destinations" lead="Where agents may call.">
          <LinesField
            path="allowed_destinations"
            label="Allowed destinations"
            rows={4}
            placeholder="Countries of its own numbers"
            hint="A line each: a country in two letters, such as DE, or the beginning of a number, such as +8816. Nothing: the countries of the workspace’s own numbers. Premium and emergency numbers are always refused."
            show={listOfLines.show}
            read={(lines) => (lines.length > 0 ? lines : null)}
          />
        </Section>
        <Section title="Memory" lead="For agents that remember callers.">
          <NumberField
            path="memory_days"
            label="Callers are remembered for"
            hint="After their last call."
            unit="days"
            min={1}
            blank={null}
            placeholder="As long as calls"
          />
        </Section>
        <SaveBar changed={changed} busy={save.isPending} needs={ownersOnly} />
      </Form>
    </>
  )
}

/** What an emptied field means. */
const none = { blank: null, placeholder: 'No limit' } as const

const limitsOf = ({
  allowed_destinations,
  calls_per_minute,
  calls_per_day,
  max_concurrency,
  minutes_per_day,
  cost_per_day,
  memory_days,
}: dashboard.Workspace) => ({
  allowed_destinations,
  calls_per_minute,
  calls_per_day,
  max_concurrency,
  minutes_per_day,
  cost_per_day,
  memory_days,
})
