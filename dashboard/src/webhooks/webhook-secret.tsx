// The secret that signs deliveries: shown once, replaced on demand.
import type { Webhook } from '@parley/contract'
import { useMutation } from '@tanstack/react-query'
import { api } from '../api.ts'
import { Copyable } from '../ui/controls/copyable.tsx'
import { ShownOnce } from '../ui/controls/shown-once.tsx'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { placeOf, useWebhookRefresh } from './webhook.ts'

const check = 'const event = verifyWebhook({ body, headers, secret })'

interface WebhookSecretProps {
  title: string
  secret: string
  onClose(): void
}

export function WebhookSecret({ title, secret, onClose }: WebhookSecretProps) {
  return (
    <ShownOnce
      title={title}
      what="secret"
      secret={secret}
      why="It signs every delivery, and is never shown again."
      onClose={onClose}
    >
      <div>
        <p className="mb-1.5 text-[0.8125rem] font-medium">Check each delivery</p>
        <Copyable text={check} label="check" />
        <p className="mt-1.5 text-[0.8125rem] text-pretty text-muted">
          That is the SDK, given the raw body. Without it: <Code>v1</Code> in <Code>X-Svc-Signature</Code> is
          the hex HMAC-SHA256 of <Code>t</Code>, a full stop and the body, keyed with the whole secret. Refuse
          a <Code>t</Code> more than five minutes old.
        </p>
      </div>
    </ShownOnce>
  )
}

function Code({ children }: { children: string }) {
  return <code className="font-mono text-xs text-ink">{children}</code>
}

interface RotateSecretDialogProps {
  workspaceId: string
  webhook: Webhook
  onClose(): void
}

export function RotateSecretDialog({ workspaceId, webhook, onClose }: RotateSecretDialogProps) {
  const refresh = useWebhookRefresh()
  const rotate = useMutation({
    mutationFn: () => api.rotateSecret(workspaceId, webhook.webhook_id),
    onSuccess: () => refresh(placeOf(workspaceId, webhook)),
  })
  if (rotate.data) {
    return <WebhookSecret title="Secret rotated" secret={rotate.data.secret} onClose={onClose} />
  }
  return (
    <ConfirmDialog title="Rotate the secret?" verb="Rotate secret" action={rotate} onClose={onClose}>
      The current secret stops signing at once. Until your receiver knows the new one, it will turn deliveries
      away; those that fail can be replayed.
    </ConfirmDialog>
  )
}
