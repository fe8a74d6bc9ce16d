// The dialog that changes the label of a key.
import type { dashboard } from '@parley/contract'
import { api } from '../api.ts'
import { OneFieldDialog } from '../ui/dialogs/one-field-dialog.tsx'

export function RelabelKeyDialog({ apiKey, onClose }: { apiKey: dashboard.ApiKey; onClose(): void }) {
  return (
    <OneFieldDialog
      title="Relabel key"
      path="label"
      label="Label"
      start={apiKey.label}
      verb="Save"
      save={(label) => api.updateKey(apiKey.api_key_id, { label })}
      refresh="keys"
      done="Key relabelled"
      onClose={onClose}
    />
  )
}
