// The dashboard's own interface: signing in, workspaces, users and API keys. Separate from the Voice AI interface on purpose.
import { z } from 'zod'
import { dashboardAddresses } from './addresses.ts'
import { MaxConcurrency } from './new-batch.ts'
import { operation } from './operation.ts'
import { PageQuery, pageOf } from './pagination.ts'
import { Prices } from './usage.ts'
import { Id, Text, Timestamp } from './words.ts'

export { type DraftCall, type Trial, tryAgent, tryNewAgent } from './draft-call.ts'

const Email = z.email().max(254)
/** Long enough to make guessing hopeless at the rate that the login allows; short enough to hash quickly. */
const Password = z.string().min(12).max(256)
const Label = Text.min(1).max(120)
const WorkspaceName = Text.min(1).max(120)
export const Role = z.enum(['admin', 'member'])
export type Role = z.infer<typeof Role>

const ById = z.strictObject({ id: Id })

export const User = z.strictObject({
  user_id: Id,
  email: Email,
  role: Role,
  workspace_ids: z.array(Id),
  created_at: Timestamp,
  last_login_at: Timestamp.nullable(),
})
export type User = z.infer<typeof User>

const Destination = z
  .string()
  .max(16)
  .regex(
    /^([A-Za-z]{2}|\+[1-9][0-9]{0,14})$/,
    'Must be a country in two letters, such as DE, or the beginning of a number, such as +8816.',
  )
  .transform((destination) => destination.toUpperCase())

const CallsInTime = z.int().min(0).max(10_000_000)

/** What a workspace may call, and how often. null: the usual. */
const limits = {
  /** Countries in two letters and beginnings of numbers; null: the countries of its own numbers. */
  allowed_destinations: z.array(Destination).max(500).nullable(),
  /** Calls that are dialled, in a minute and on a day in UTC; simulated ones do not count. */
  calls_per_minute: CallsInTime.nullable(),
  calls_per_day: CallsInTime.nullable(),
  /** Calls at a time, in both directions. */
  max_concurrency: MaxConcurrency.nullable(),
  /** Of all calls on a day in UTC. */
  minutes_per_day: CallsInTime.nullable(),
  /** In the currency of the prices. */
  cost_per_day: z.number().min(0).max(1_000_000_000).nullable(),
  /** null: nothing has a price. */
  prices: Prices.nullable(),
  /** How long agents remember callers after their last call; null: as long as records of calls are kept. */
  memory_days: z.int().min(1).max(3_650).nullable(),
}

export const Workspace = z.strictObject({
  workspace_id: Id,
  name: WorkspaceName,
  created_at: Timestamp,
  ...limits,
})
export type Workspace = z.infer<typeof Workspace>
export type WorkspaceChange = z.infer<typeof updateWorkspace.body>

export const ApiKey = z.strictObject({
  api_key_id: Id,
  label: Label,
  /** The first characters: enough to recognise the key, useless for guessing the rest. */
  prefix: Text,
  workspace_id: Id.nullable(),
  /** The workspaces an unbound key may name. */
  access: z.array(Id),
  active: z.boolean(),
  created_at: Timestamp,
  last_used_at: Timestamp.nullable(),
})
export type ApiKey = z.infer<typeof ApiKey>

const Session = z.strictObject({
  user: User,
  csrf_token: Text,
  expires_at: Timestamp,
})
export type Session = z.infer<typeof Session>

const tag = 'Dashboard'

export const login = operation({
  ...dashboardAddresses.login,
  tag,
  summary: 'Sign in',
  body: z.strictObject({ email: Email, password: z.string().max(256) }),
  status: 201,
  data: Session,
})

export const openLink = operation({
  ...dashboardAddresses.openLink,
  tag,
  summary: 'Sign in once with the link that the first start prints',
  body: z.strictObject({ token: z.string().max(128) }),
  status: 201,
  data: Session,
})

export const currentSession = operation({
  ...dashboardAddresses.currentSession,
  tag,
  summary: 'Who is signed in',
  data: Session,
})

export const logout = operation({
  ...dashboardAddresses.logout,
  tag,
  summary: 'Sign out',
  data: z.strictObject({ signed_out: z.literal(true) }),
})

export const changePassword = operation({
  ...dashboardAddresses.changePassword,
  tag,
  summary: 'Change your own password; every other session of yours ends',
  body: z.strictObject({ current_password: z.string().max(256), new_password: Password }),
  data: z.strictObject({ changed: z.literal(true) }),
})

export const listWorkspaces = operation({
  ...dashboardAddresses.listWorkspaces,
  tag,
  summary: 'The workspaces you can see',
  query: PageQuery,
  data: pageOf(Workspace),
})

export const createWorkspace = operation({
  ...dashboardAddresses.createWorkspace,
  tag,
  summary: 'Make a workspace',
  body: z.strictObject({ name: WorkspaceName }),
  status: 201,
  data: Workspace,
})

export const updateWorkspace = operation({
  ...dashboardAddresses.updateWorkspace,
  tag,
  summary: 'Rename a workspace, or change what it may call and how often',
  params: ById,
  body: z.strictObject({ name: WorkspaceName, ...limits }).partial(),
  data: Workspace,
})

export const listKeys = operation({
  ...dashboardAddresses.listKeys,
  tag,
  summary: 'The API keys of your workspaces',
  query: PageQuery,
  data: pageOf(ApiKey),
})

export const createKey = operation({
  ...dashboardAddresses.createKey,
  tag,
  summary: 'Make an API key, bound to one workspace or unbound with access to several; the key is shown once',
  body: z.union([
    z.strictObject({ label: Label, workspace_id: Id }),
    z.strictObject({ label: Label, access: z.array(Id).min(1).max(1000), workspace_id: z.null().optional() }),
  ]),
  status: 201,
  data: ApiKey.extend({ key: Text }),
})

export const updateKey = operation({
  ...dashboardAddresses.updateKey,
  tag,
  summary: 'Relabel, revoke or reactivate an API key',
  params: ById,
  body: z.strictObject({ label: Label.optional(), active: z.boolean().optional() }),
  data: ApiKey,
})

export const listUsers = operation({
  ...dashboardAddresses.listUsers,
  tag,
  summary: 'The users of the dashboard',
  query: PageQuery,
  data: pageOf(User),
})

export const createUser = operation({
  ...dashboardAddresses.createUser,
  tag,
  summary: 'Add a user of the dashboard',
  body: z.strictObject({
    email: Email,
    password: Password,
    role: Role.default('member'),
    workspace_ids: z.array(Id).max(1000).default([]),
  }),
  status: 201,
  data: User,
})

export const updateUser = operation({
  ...dashboardAddresses.updateUser,
  tag,
  summary: "Change a user's password, role or workspaces; a new password ends their sessions",
  params: ById,
  body: z.strictObject({
    password: Password.optional(),
    role: Role.optional(),
    workspace_ids: z.array(Id).max(1000).optional(),
  }),
  data: User,
})

export const deleteUser = operation({
  ...dashboardAddresses.deleteUser,
  tag,
  summary: 'Remove a user; their sessions end at once',
  params: ById,
  data: z.strictObject({ user_id: Id, deleted: z.literal(true) }),
})
