// Everybody who may sign in to this installation. Owners only.
import type { dashboard } from '@parley/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { usePlace } from '../router.tsx'
import { useUser } from '../session/session.tsx'
import { useWorkspaceNames } from '../session/workspace.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Icon } from '../ui/controls/icons.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { Listing } from '../ui/lists/listing.tsx'
import type { Column } from '../ui/lists/table.tsx'
import { Badge } from '../ui/words/badge.tsx'
import { roleWords } from '../ui/words/role-words.ts'
import { WhenCell } from '../ui/words/when.tsx'
import { InvitationList } from './invitation-list.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { PasswordLinkDialog, RemoveUserDialog, UserDialog, UserSessionsDialog } from './user-dialogs.tsx'

type User = dashboard.User
type Open =
  | { dialog: 'new' }
  | { dialog: 'change' | 'password' | 'sessions' | 'remove'; user: User }
  | undefined

export function UsersPage() {
  const { page } = usePlace()
  const self = useUser()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const users = useQuery({
    queryKey: ['users', page],
    queryFn: () => api.users(page),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <PageHeader
        title="Users"
        lead="Everybody who can sign in. Owners may do everything; other people have a role in each workspace."
        action={
          <Button kind="primary" onClick={() => setOpen({ dialog: 'new' })}>
            <Icon name="plus" className="size-3.5" />
            Invite
          </Button>
        }
      />
      <Listing
        label="Users"
        query={users}
        columns={columns(self, setOpen)}
        keyOf={({ user_id }) => user_id}
        at="/users"
        empty={null}
      />
      <InvitationList />
      {open?.dialog === 'new' && <InviteDialog onClose={close} />}
      {open?.dialog === 'password' && <PasswordLinkDialog user={open.user} onClose={close} />}
      {open?.dialog === 'sessions' && <UserSessionsDialog user={open.user} onClose={close} />}
      {open?.dialog === 'change' && <UserDialog user={open.user} onClose={close} />}
      {open?.dialog === 'remove' && <RemoveUserDialog user={open.user} onClose={close} />}
    </>
  )
}

const columns = (self: User, setOpen: (open: Open) => void): Column<User>[] => [
  {
    head: 'User',
    cell: (user) => (
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 font-medium wrap-anywhere">
          {user.name ?? user.email}
          {user.user_id === self.user_id && <span className="font-normal text-muted">You</span>}
        </p>
        {user.name && <p className="text-[0.8125rem] wrap-anywhere text-muted">{user.email}</p>}
        <div className="mt-1 md:hidden">
          <Reach of={user} />
        </div>
      </div>
    ),
  },
  { head: 'Roles', wide: true, cell: (user) => <Reach of={user} /> },
  { head: 'Last signed in', wide: true, cell: ({ last_login_at }) => <WhenCell at={last_login_at} /> },
  {
    head: 'Actions',
    actions: true,
    cell: (user) => (
      <div className="-mr-2 flex flex-col items-end justify-end gap-0.5 sm:flex-row">
        <Button
          kind="quiet"
          size="small"
          aria-label={`Change ${user.email}`}
          onClick={() => setOpen({ dialog: 'change', user })}
        >
          Change
        </Button>
        <Button
          kind="quiet"
          size="small"
          aria-label={`New password of ${user.email}`}
          onClick={() => setOpen({ dialog: 'password', user })}
        >
          Password
        </Button>
        <Button
          kind="quiet"
          size="small"
          aria-label={`Sessions of ${user.email}`}
          onClick={() => setOpen({ dialog: 'sessions', user })}
        >
          Sessions
        </Button>
        <Button
          kind="quiet"
          size="small"
          aria-label={`Remove ${user.email}`}
          disabled={user.user_id === self.user_id}
          onClick={() => setOpen({ dialog: 'remove', user })}
        >
          Remove
        </Button>
      </div>
    ),
  },
]

function Reach({ of: { owner, workspaces } }: { of: User }) {
  const names = useWorkspaceNames()
  if (owner) return <Badge tone="accent">Owner</Badge>
  if (workspaces.length === 0) return <span className="text-[0.8125rem] text-muted">None</span>
  return (
    <ul className="text-[0.8125rem] text-muted">
      {workspaces.map(({ workspace_id, role }) => (
        <li key={workspace_id} className="wrap-anywhere">
          {roleWords[role]} of {names[workspace_id] ?? '…'}
        </li>
      ))}
    </ul>
  )
}
