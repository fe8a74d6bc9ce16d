// The people of a workspace: who may do what, and who is invited.
import type { dashboard } from '@parley/contract'
import { dashboardAddresses, type Role } from '@parley/contract/addresses'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { usePlace } from '../router.tsx'
import { useUser } from '../session/session.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Icon } from '../ui/controls/icons.tsx'
import { useWhyNot } from '../ui/controls/may.tsx'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { Listing } from '../ui/lists/listing.tsx'
import type { Column } from '../ui/lists/table.tsx'
import { roleHints, roleWords } from '../ui/words/role-words.ts'
import { WhenCell } from '../ui/words/when.tsx'
import { InvitationList } from './invitation-list.tsx'
import { InviteDialog } from './invite-dialog.tsx'

type Member = dashboard.Member
type Open = { dialog: 'invite' } | { dialog: 'remove'; member: Member } | undefined

export function PeoplePage({ workspace }: { workspace: dashboard.Workspace }) {
  const { page } = usePlace()
  const self = useUser()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const workspaceId = workspace.workspace_id
  const members = useQuery({
    queryKey: ['members', workspaceId, page],
    queryFn: () => api.members(workspaceId, page),
    placeholderData: keepPreviousData,
  })
  const mayDecide = useWhyNot(dashboardAddresses.createInvitation) === undefined
  const invite = (
    <Button
      kind="primary"
      needs={dashboardAddresses.createInvitation}
      onClick={() => setOpen({ dialog: 'invite' })}
    >
      <Icon name="plus" className="size-3.5" />
      Invite
    </Button>
  )
  return (
    <>
      <PageHeader
        title="People"
        lead={`Who may do what in ${workspace.name}. Owners of the installation may do everything in every workspace.`}
        action={invite}
      />
      <Listing
        label="Members"
        query={members}
        columns={columns(workspaceId, self, setOpen)}
        keyOf={({ user_id }) => user_id}
        at="/people"
        empty={
          <EmptyState icon="users" title="Only owners so far" action={invite}>
            Invite the people who should see this workspace or work in it.
          </EmptyState>
        }
      />
      <dl className="mt-6 grid gap-x-6 gap-y-2 text-[0.8125rem] text-muted sm:grid-cols-3">
        {(Object.keys(roleWords) as Role[]).map((role) => (
          <div key={role}>
            <dt className="font-medium text-ink">{roleWords[role]}</dt>
            <dd>{roleHints[role]}</dd>
          </div>
        ))}
      </dl>
      {mayDecide && <InvitationList workspaceId={workspaceId} />}
      {open?.dialog === 'invite' && <InviteDialog workspace={workspace} onClose={close} />}
      {open?.dialog === 'remove' && (
        <RemoveDialog workspace={workspace} member={open.member} onClose={close} />
      )}
    </>
  )
}

const columns = (
  workspaceId: string,
  self: dashboard.User,
  setOpen: (open: Open) => void,
): Column<Member>[] => [
  {
    head: 'Person',
    cell: ({ name, email, user_id }) => (
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 font-medium wrap-anywhere">
          {name ?? email}
          {user_id === self.user_id && <span className="font-normal text-muted">You</span>}
        </p>
        {name && <p className="text-[0.8125rem] wrap-anywhere text-muted">{email}</p>}
      </div>
    ),
  },
  { head: 'Role', cell: (member) => <RoleSelect workspaceId={workspaceId} member={member} /> },
  { head: 'Last signed in', wide: true, cell: ({ last_login_at }) => <WhenCell at={last_login_at} /> },
  {
    head: 'Actions',
    actions: true,
    cell: (member) => (
      <Button
        kind="quiet"
        size="small"
        className="-mr-2"
        needs={dashboardAddresses.removeMember}
        aria-label={`Remove ${member.email}`}
        onClick={() => setOpen({ dialog: 'remove', member })}
      >
        Remove
      </Button>
    ),
  },
]

function RoleSelect({ workspaceId, member }: { workspaceId: string; member: Member }) {
  const queries = useQueryClient()
  const toast = useToast()
  const whyNot = useWhyNot(dashboardAddresses.updateMember)
  const change = useMutation({
    mutationFn: (role: Role) => api.updateMember(workspaceId, member.user_id, { role }),
    onSuccess: ({ email, role }) => {
      queries.invalidateQueries({ queryKey: ['members'] })
      queries.invalidateQueries({ queryKey: ['workspaces'] })
      toast(`${email} is now ${roleWords[role].toLowerCase()}`)
    },
    onError: ({ message }) => toast(message),
  })
  return (
    <select
      aria-label={`Role of ${member.email}`}
      title={whyNot}
      value={change.isPending ? change.variables : member.role}
      disabled={whyNot !== undefined || change.isPending}
      onChange={({ target }) => change.mutate(target.value as Role)}
      className="h-8 rounded-md border border-edge bg-surface px-2 text-[0.8125rem] shadow-card disabled:border-transparent disabled:bg-transparent disabled:shadow-none"
    >
      {Object.entries(roleWords).map(([role, words]) => (
        <option key={role} value={role}>
          {words}
        </option>
      ))}
    </select>
  )
}

interface RemoveDialogProps {
  workspace: dashboard.Workspace
  member: Member
  onClose(): void
}

function RemoveDialog({ workspace, member, onClose }: RemoveDialogProps) {
  const queries = useQueryClient()
  const toast = useToast()
  const remove = useMutation({
    mutationFn: () => api.removeMember(workspace.workspace_id, member.user_id),
    onSuccess: () => {
      queries.invalidateQueries({ queryKey: ['members'] })
      queries.invalidateQueries({ queryKey: ['workspaces'] })
      toast(`${member.email} removed`)
      onClose()
    },
  })
  return (
    <ConfirmDialog title={`Remove from ${workspace.name}?`} verb="Remove" action={remove} onClose={onClose}>
      <strong className="font-medium text-ink">{member.email}</strong> loses sight of the workspace at once.
      What they made stays.
    </ConfirmDialog>
  )
}
