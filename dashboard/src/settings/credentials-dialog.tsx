// The dialog that stores the credentials for a vendor and tells whether the vendor accepts them.
import type { VendorCredentials } from '@parley/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { Dialog, FormActions } from '../ui/dialogs/dialog.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { AreaField, TextField } from '../ui/forms/fields.tsx'
import { Form, useForm } from '../ui/forms/form.tsx'

interface CredentialsDialogProps {
  workspaceId: string
  vendor: VendorCredentials
  onClose(): void
}

export function CredentialsDialog({ workspaceId, vendor, onClose }: CredentialsDialogProps) {
  const queries = useQueryClient()
  const toast = useToast()
  const services = servicesOf(vendor)
  const form = useForm({
    credentials: Object.fromEntries(vendor.fields.map(({ name }) => [name, ''])) as Record<string, string>,
    base_url: vendor.base_url ?? '',
    base_urls: Object.fromEntries(
      servicesOf(vendor).map(([service]) => [service, vendor.base_urls?.[service] ?? '']),
    ) as Record<Service, string>,
  })
  const store = useMutation({
    mutationFn: ({ credentials, base_url, base_urls }: typeof form.values) =>
      api.putCredentials(workspaceId, vendor.vendor, {
        credentials: given(credentials),
        base_url: base_url || null,
        base_urls: given(base_urls),
      }),
    onSuccess: ({ label, last_check }) => {
      queries.invalidateQueries({ queryKey: ['credentials', workspaceId] })
      toast(`${label}: ${last_check?.message ?? 'Stored.'}`)
      onClose()
    },
  })
  return (
    <Dialog title={`Key for ${vendor.label}`} onClose={onClose}>
      <Form form={form} error={store.error} onSubmit={(values) => store.mutate(values)}>
        {vendor.fields.map(({ name, is_required, is_secret }) =>
          name === 'service_account' ? (
            <AreaField
              key={name}
              path={`credentials.${name}`}
              label="Service account"
              hint="The whole key file, as JSON."
              rows={5}
            />
          ) : (
            <TextField
              key={name}
              path={`credentials.${name}`}
              label={titleOf(name)}
              type={is_secret ? 'password' : 'text'}
              autoComplete="off"
              spellCheck={false}
              hint={is_required ? undefined : 'Optional.'}
            />
          ),
        )}
        <TextField
          path="base_url"
          label="Address"
          placeholder="The vendor’s own"
          inputMode="url"
          hint="Optional: a region, a proxy or a server of your own, which gets the key."
        />
        {services.length > 1 && (
          <details open={vendor.base_urls !== null}>
            <summary className="cursor-pointer text-[0.8125rem] text-muted">
              Another address for a single service
            </summary>
            {services.map(([service, label]) => (
              <TextField
                key={service}
                path={`base_urls.${service}`}
                label={label}
                placeholder="As above"
                inputMode="url"
              />
            ))}
          </details>
        )}
        <FormActions verb="Store and test" busy={store.isPending} onClose={onClose} />
      </Form>
    </Dialog>
  )
}

type Service = keyof NonNullable<VendorCredentials['base_urls']>

/** What can have an address of its own, with its words. */
const servicesOf = ({ uses, vendor, base_urls }: VendorCredentials): readonly [Service, string][] => [
  ...(uses.includes('synthesizer') ? [['synthesizer', 'Voices'] as [Service, string]] : []),
  ...(uses.includes('transcriber') ? [['transcriber', 'Recognition'] as [Service, string]] : []),
  ...(uses.includes('language_model') ? [['language_model', 'Language models'] as [Service, string]] : []),
  ...(isRealtime(vendor) ? [['realtime', 'Realtime models'] as [Service, string]] : []),
  ...(uses.includes('transcriber') || base_urls?.recordings
    ? [['recordings', 'Recordings'] as [Service, string]]
    : []),
]

const isRealtime = (vendor: string) => vendor === 'openai' || vendor === 'gemini'

const given = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))

/** "api_key" → "API key". */
function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ').replace(/\b(api|id)\b/g, (word) => word.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}
