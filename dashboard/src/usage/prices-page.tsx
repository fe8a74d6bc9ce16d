// What the parts of calls cost in a workspace. Owners of the installation change it.
import type { dashboard } from '@parley/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, Refusal } from '../api.ts'
import { useLeaveGuard } from '../router.tsx'
import { Button } from '../ui/controls/button.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { Form, useForm } from '../ui/forms/form.tsx'
import { type RowColumn, RowsField } from '../ui/forms/rows-field.tsx'
import { SaveBar } from '../ui/forms/save-bar.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { Section } from '../ui/layout/section.tsx'
import { completedBy, draftOf, placeOf, pricesOf } from './price-draft.ts'
import { ownersOnly, useSaveWorkspace } from './workspace-form.tsx'

const named = (placeholder: string): RowColumn => ({ key: 'name', label: 'Name', placeholder })
const price = (key: string, label: string): RowColumn => ({ key, label, is: 'number' })

/** The lists of prices: what is charged, and by which unit. */
const kinds = [
  {
    title: 'Recognition',
    lead: 'Charged by the time that is listened to.',
    path: 'transcribers',
    label: 'Transcribers',
    one: 'transcriber',
    compact: true,
    columns: [named('deepgram'), price('per_minute', 'A minute')],
    fresh: { part: 'transcriber' },
  },
  {
    title: 'Voices',
    lead: 'Charged by what is spoken.',
    path: 'voices',
    label: 'Synthesizers',
    one: 'synthesizer',
    compact: true,
    columns: [named('elevenlabs'), price('per_million_characters', 'A million characters')],
    fresh: { part: 'synthesizer' },
  },
  {
    title: 'Language models',
    lead: 'Charged by tokens. What a server had kept, or begins to keep, may have a price of its own.',
    path: 'models',
    label: 'Models',
    one: 'model',
    columns: [
      { ...named('gpt-6-luna, or provider/model'), wide: true },
      price('per_million_input_tokens', 'A million tokens read'),
      price('per_million_output_tokens', 'A million tokens written'),
      price('per_million_cached_tokens', 'A million tokens that were kept'),
      price('per_million_cache_write_tokens', 'A million tokens that begin to be kept'),
    ],
    fresh: { part: 'language-model' },
  },
  {
    title: 'Lines',
    lead: 'Charged by the time of the connection.',
    path: 'lines',
    label: 'Carriers',
    one: 'carrier',
    compact: true,
    columns: [named('sip'), price('per_minute', 'A minute')],
    fresh: { part: 'line' },
  },
]

export function PricesPage({ workspace }: { workspace: dashboard.Workspace }) {
  const before = draftOf(workspace.prices)
  const form = useForm(before)
  const changed = JSON.stringify(form.values) !== JSON.stringify(before)
  const { data: listed } = useQuery({
    queryKey: ['public-prices'],
    queryFn: () => api.publicPrices(workspace.workspace_id),
  })
  const saving = useSaveWorkspace(workspace)
  const save = useMutation({
    mutationFn: () =>
      saving({ prices: pricesOf(form.values) }).catch((error: unknown) => {
        throw error instanceof Refusal ? error.placed((fault) => placeOf(fault, form.values)) : error
      }),
    onSuccess: (saved) => form.replace(draftOf(saved.prices)),
  })
  useLeaveGuard(changed)
  return (
    <>
      <PageHeader
        title="Prices"
        lead="A call is priced when it ends, by the prices of that moment. * is everything without a row of its own."
        back={{ to: '/usage', label: 'Usage' }}
      />
      <Form
        form={form}
        error={save.error}
        needs={ownersOnly}
        onSubmit={() => save.mutate()}
        className="space-y-0"
      >
        <Section title="Currency" lead="Of every price and cost. Amounts are not converted when it changes.">
          <TextField
            path="currency"
            label="Currency"
            placeholder="EUR"
            autoComplete="off"
            hint="Three capital letters."
          />
        </Section>
        <Section title="Public lists" lead="What vendors ask in public, to begin with.">
          {listed && (
            <p className="text-[0.8125rem] text-pretty text-muted">
              As of {listed.as_of}, in {listed.currency}. {listed.source}
            </p>
          )}
          <Button
            needs={ownersOnly}
            disabled={!listed}
            onClick={() => listed && form.replace(completedBy(form.values, listed))}
          >
            Add public prices
          </Button>
        </Section>
        {kinds.map(({ title, lead, ...rows }) => (
          <Section key={title} title={title} lead={lead}>
            <RowsField {...rows} />
          </Section>
        ))}
        <SaveBar changed={changed} busy={save.isPending} needs={ownersOnly} />
      </Form>
    </>
  )
}
