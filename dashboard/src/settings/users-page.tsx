// The users who may sign in. Administrators only.
import type { dashboard } from '@parley/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { usePlace } from '../router.tsx'
import { useUser } from '../session/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icons.tsx'
import { Listing } from '../ui/listing.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import type { Column } from '../ui/table.tsx'
import { WhenCell } from '../ui/when.tsx'
import { RemoveUserDialog } from './remove-user-dialog.tsx'
import { NewUserDialog, UserDialog } from './user-dialogs.tsx'
import { WorkspaceNames } from './workspace-names.tsx'

type User = dashboard.User
type Open = { dialog: 'new' } | { dialog: 'change' | 'remove'; user: User } | undefined

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
        lead="Administrators see everything. Members see the workspaces they are given."
        action={
          <Button kind="primary" onClick={() => setOpen({ dialog: 'new' })}>
            <Icon name="plus" className="size-3.5" />
            Add user
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
      {open?.dialog === 'new' && <NewUserDialog onClose={close} />}
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
          {user.email}
          {user.user_id === self.user_id && <span className="font-normal text-muted">You</span>}
        </p>
        <div className="mt-1 flex flex-wrap items-center gap-2 md:hidden">
          <RoleBadge role={user.role} />
          <Reach of={user} />
        </div>
      </div>
    ),
  },
  { head: 'Role', wide: true, cell: ({ role }) => <RoleBadge role={role} /> },
  { head: 'Workspaces', wide: true, cell: (user) => <Reach of={user} /> },
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

function RoleBadge({ role }: { role: dashboard.Role }) {
  return role === 'admin' ? <Badge tone="accent">Administrator</Badge> : <Badge tone="off">Member</Badge>
}

function Reach({ of: { role, workspace_ids } }: { of: User }) {
  return (
    <span className="text-[0.8125rem] text-muted">
      {role === 'admin' ? 'All' : <WorkspaceNames ids={workspace_ids} />}
    </span>
  )
}
