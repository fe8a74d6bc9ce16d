// Invitations that nobody has accepted yet.
import { dashboardAddresses } from '@parley/contract/addresses'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { useWorkspaceNames } from '../session/workspace.tsx'
import { Button } from '../ui/controls/button.tsx'
import { RefusalNotice } from '../ui/feedback/refusal-notice.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { roleWords } from '../ui/words/role-words.ts'
import { When } from '../ui/words/when.tsx'

/** Invitations to one workspace, or all that one may see. */
export function InvitationList({ workspaceId }: { workspaceId?: string }) {
  const names = useWorkspaceNames()
  const invitations = useQuery({ queryKey: ['invitations'], queryFn: api.invitations })
  if (invitations.isError) return <RefusalNotice error={invitations.error} />
  const shown = (invitations.data?.data ?? []).filter(
    ({ workspaces }) => !workspaceId || workspaces.some(({ workspace_id }) => workspace_id === workspaceId),
  )
  if (shown.length === 0) return null
  return (
    <section className="mt-9">
      <h2 className="mb-3 font-semibold">Invited</h2>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {shown.map(({ invitation_id, email, owner, workspaces, invited_by, expires_at }) => (
          <li key={invitation_id} className="flex items-center justify-between gap-4 px-4 py-3">
            <div className="min-w-0">
              <p className="font-medium wrap-anywhere">{email}</p>
              <p className="text-[0.8125rem] wrap-anywhere text-muted">
                {owner
                  ? 'Owner'
                  : workspaces
                      .map(({ workspace_id, role }) => `${roleWords[role]} of ${names[workspace_id] ?? '…'}`)
                      .join(', ')}
                , by {invited_by}, until <When at={expires_at} />
              </p>
            </div>
            <Revoke invitationId={invitation_id} email={email} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Revoke({ invitationId, email }: { invitationId: string; email: string }) {
  const queries = useQueryClient()
  const toast = useToast()
  const revoke = useMutation({
    mutationFn: () => api.revokeInvitation(invitationId),
    onSuccess: () => toast(`The invitation of ${email} is revoked`),
    onError: ({ message }) => toast(message),
    onSettled: () => queries.invalidateQueries({ queryKey: ['invitations'] }),
  })
  return (
    <Button
      kind="quiet"
      size="small"
      className="-mr-2"
      needs={dashboardAddresses.revokeInvitation}
      aria-label={`Revoke the invitation of ${email}`}
      busy={revoke.isPending}
      onClick={() => revoke.mutate()}
    >
      Revoke
    </Button>
  )
}
