// The dashboard's own interface: workspaces and API keys; people are in people.ts. Separate from the Voice AI interface on
// purpose.
import { z } from 'zod'
import { dashboardAddresses } from '../addresses.ts'
import { MaxConcurrency } from '../batches/new-batch.ts'
import { operation } from '../operation.ts'
import { PageQuery, pageOf } from '../pagination.ts'
import { Prices } from '../usage/usage.ts'
import { Id, Text, Timestamp } from '../words.ts'
import { Role, WorkspaceName } from './people.ts'

export { type DraftCall, type Trial, tryAgent, tryNewAgent } from '../calls/draft-call.ts'
export * from './people.ts'

const Label = Text.min(1).max(120)

const Destination = z
  .string()
  .max(16)
  .regex(
    /^([A-Za-z]{2}|\+[1-9][0-9]{0,14})$/,
    'Must be a country in two letters, such as DE, or the beginning of a number, such as +8816.',
  )
  .transform((destination) => destination.toUpperCase())

const CallsInTime = z.int().min(0).max(10_000_000)

/** The limits of a workspace. Null: the default of the installation. */
const limits = {
  /** Countries in two letters and beginnings of numbers; null: the countries of its own numbers. */
  allowed_destinations: z.array(Destination).max(500).nullable(),
  /** Calls that are dialled, in a minute and on a day in UTC; simulated ones do not count. */
  calls_per_minute: CallsInTime.nullable(),
  calls_per_day: CallsInTime.nullable(),
  /** Calls at a time, in both directions. */
  max_concurrency: MaxConcurrency.nullable(),
  /** Minutes of all calls on a day in UTC. */
  minutes_per_day: CallsInTime.nullable(),
  /** In the currency of the prices. */
  cost_per_day: z.number().min(0).max(1_000_000_000).nullable(),
  /** The prices as they are sent. Null: nothing has a price. */
  prices: Prices.nullable(),
  /** How long agents remember callers after their last call; null: as long as records of calls are kept. */
  memory_days: z.int().min(1).max(3_650).nullable(),
}

export const Workspace = z.strictObject({
  workspace_id: Id,
  name: WorkspaceName,
  created_at: Timestamp,
  /** The role of the user in the workspace. */
  role: Role,
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
  /** The role of the key in these workspaces. Null: everything. */
  role: Role.nullable(),
  active: z.boolean(),
  created_at: Timestamp,
  last_used_at: Timestamp.nullable(),
})
export type ApiKey = z.infer<typeof ApiKey>

const ById = z.strictObject({ id: Id })

const tag = 'Dashboard'

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

/** A workspace that is being deleted, and afterwards the proof. */
const WorkspaceDeletion = z.strictObject({
  deletion_id: Id,
  workspace_id: Id,
  name: WorkspaceName,
  status: z.enum(['queued', 'in_progress', 'completed', 'failed']),
  /** From 0 to 1. */
  progress: z.number().min(0).max(1),
  removed: z.strictObject({
    calls: z.int(),
    recordings: z.int(),
    /** Uploads, and speech that was kept. */
    files: z.int(),
    /** Rows of everything else: agents, numbers, knowledge, usage. */
    rows: z.int(),
    /** Records in files of the archive. */
    archived: z.int(),
  }),
  /** The current step, what it waits for, or why it failed. */
  error: Text.nullable(),
  requested_by: Text,
  created_at: Timestamp,
  completed_at: Timestamp.nullable(),
})
export type WorkspaceDeletion = z.infer<typeof WorkspaceDeletion>

export const deleteWorkspace = operation({
  ...dashboardAddresses.deleteWorkspace,
  tag,
  summary: 'Delete a workspace with everything in it; calls under way are ended',
  params: ById,
  /** The name of the workspace, as a confirmation: a deletion cannot be undone. */
  body: z.strictObject({ name: z.string().max(1_000) }),
  status: 202,
  data: WorkspaceDeletion,
})

export const listWorkspaceDeletions = operation({
  ...dashboardAddresses.listWorkspaceDeletions,
  tag,
  summary: 'Deletions of workspaces that you have asked for; an owner sees all of them',
  query: PageQuery,
  data: pageOf(WorkspaceDeletion),
})

export const listKeys = operation({
  ...dashboardAddresses.listKeys,
  tag,
  summary: 'The API keys of your workspaces',
  query: PageQuery,
  data: pageOf(ApiKey),
})

/** A new key. Nobody can make one that may do more than they may. */
const KeyRole = Role.nullable().default(null)

export const createKey = operation({
  ...dashboardAddresses.createKey,
  tag,
  summary: 'Make an API key, bound to one workspace or unbound with access to several; the key is shown once',
  body: z.union([
    z.strictObject({ label: Label, role: KeyRole, workspace_id: Id }),
    z.strictObject({
      label: Label,
      role: KeyRole,
      access: z.array(Id).min(1).max(1000),
      workspace_id: z.null().optional(),
    }),
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
