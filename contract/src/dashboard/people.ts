// The people of the dashboard: signing in, sessions, users, members of workspaces, invitations.
import { z } from 'zod'
import { dashboardAddresses, roles } from '../addresses.ts'
import { operation } from '../operation.ts'
import { PageQuery, pageOf } from '../pagination.ts'
import { Id, Text, Timestamp } from '../words.ts'

export const Email = z.email().max(254)
/** A password: long enough to make guessing hopeless at the rate that the login allows, short enough to hash quickly. */
export const Password = z.string().min(12).max(256)
const PersonName = Text.min(1).max(120)
export const WorkspaceName = Text.min(1).max(120)

export const Role = z.enum(roles)

/** The role of a user in one workspace. */
const Membership = z.strictObject({ workspace_id: Id, role: Role })
export type Membership = z.infer<typeof Membership>
const Memberships = z.array(Membership).max(1000)

export const User = z.strictObject({
  user_id: Id,
  email: Email,
  /** The name of the user. Null: they have never been asked for it. */
  name: PersonName.nullable(),
  /** An owner of the installation may do everything in every workspace. */
  owner: z.boolean(),
  workspaces: Memberships,
  created_at: Timestamp,
  last_login_at: Timestamp.nullable(),
})
export type User = z.infer<typeof User>

const Session = z.strictObject({
  user: User,
  csrf_token: Text,
  expires_at: Timestamp,
})
export type Session = z.infer<typeof Session>

/** A session: one browser in which a user is signed in. */
const SignedIn = z.strictObject({
  session_id: Id,
  /** The browser as it names itself. */
  device: Text.nullable(),
  address: Text.nullable(),
  created_at: Timestamp,
  last_seen_at: Timestamp,
  /** Whether it is the session of this request. */
  current: z.boolean(),
})
export type SignedIn = z.infer<typeof SignedIn>

/** A member of a workspace; an owner of the installation who is none is not listed. */
const Member = z.strictObject({
  user_id: Id,
  email: Email,
  name: PersonName.nullable(),
  role: Role,
  last_login_at: Timestamp.nullable(),
})
export type Member = z.infer<typeof Member>

const Invitation = z.strictObject({
  invitation_id: Id,
  email: Email,
  owner: z.boolean(),
  workspaces: Memberships,
  invited_by: Text,
  created_at: Timestamp,
  expires_at: Timestamp,
})
export type Invitation = z.infer<typeof Invitation>

/** A link with a secret. It is shown once, because only its hash is stored. */
const Link = z.strictObject({ link: z.url(), expires_at: Timestamp })

const ById = z.strictObject({ id: Id })
const OfMember = z.strictObject({ id: Id, user_id: Id })
const Token = z.string().max(128)

const tag = 'Dashboard'

export const login = operation({
  ...dashboardAddresses.login,
  tag,
  summary: 'Sign in',
  /** The address may be any text: a malformed one is answered like an unknown one. */
  body: z.strictObject({ email: z.string().max(254), password: z.string().max(256) }),
  status: 201,
  data: Session,
})

export const openLink = operation({
  ...dashboardAddresses.openLink,
  tag,
  summary: 'Sign in once with the link that the first start prints',
  body: z.strictObject({ token: Token }),
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

export const listSessions = operation({
  ...dashboardAddresses.listSessions,
  tag,
  summary: 'Where you are signed in',
  query: PageQuery,
  data: pageOf(SignedIn),
})

const Ended = z.strictObject({ ended: z.int() })

export const endSession = operation({
  ...dashboardAddresses.endSession,
  tag,
  summary: 'End one session of yours',
  params: ById,
  data: Ended,
})

export const endOtherSessions = operation({
  ...dashboardAddresses.endOtherSessions,
  tag,
  summary: 'End all your sessions but this one',
  data: Ended,
})

export const listUsers = operation({
  ...dashboardAddresses.listUsers,
  tag,
  summary: 'Everybody who can sign in to this installation',
  query: PageQuery,
  data: pageOf(User),
})

export const updateUser = operation({
  ...dashboardAddresses.updateUser,
  tag,
  summary: 'Make a user an owner or not, or change what they may do in which workspaces',
  params: ById,
  body: z.strictObject({ owner: z.boolean().optional(), workspaces: Memberships.optional() }),
  data: User,
})

export const deleteUser = operation({
  ...dashboardAddresses.deleteUser,
  tag,
  summary: 'Remove a user; their sessions end at once',
  params: ById,
  data: z.strictObject({ user_id: Id, deleted: z.literal(true) }),
})

export const createPasswordLink = operation({
  ...dashboardAddresses.createPasswordLink,
  tag,
  summary: 'Make a link with which a user chooses a new password',
  params: ById,
  status: 201,
  data: Link,
})

export const listUserSessions = operation({
  ...dashboardAddresses.listUserSessions,
  tag,
  summary: 'Where a user is signed in',
  params: ById,
  query: PageQuery,
  data: pageOf(SignedIn),
})

export const endUserSessions = operation({
  ...dashboardAddresses.endUserSessions,
  tag,
  summary: 'End all sessions of a user',
  params: ById,
  data: Ended,
})

export const listMembers = operation({
  ...dashboardAddresses.listMembers,
  tag,
  summary: 'The members of a workspace',
  params: ById,
  query: PageQuery,
  data: pageOf(Member),
})

export const updateMember = operation({
  ...dashboardAddresses.updateMember,
  tag,
  summary: 'Change the role of a member; it counts from the next request on',
  params: OfMember,
  body: z.strictObject({ role: Role }),
  data: Member,
})

export const removeMember = operation({
  ...dashboardAddresses.removeMember,
  tag,
  summary: 'Remove a member from a workspace',
  params: OfMember,
  data: z.strictObject({ user_id: Id, removed: z.literal(true) }),
})

export const listInvitations = operation({
  ...dashboardAddresses.listInvitations,
  tag,
  summary: 'Invitations that nobody has accepted yet',
  query: PageQuery,
  data: pageOf(Invitation),
})

export const createInvitation = operation({
  ...dashboardAddresses.createInvitation,
  tag,
  summary: 'Invite somebody by a link; a user who exists becomes a member at once, without one',
  body: z.strictObject({
    email: Email,
    owner: z.boolean().default(false),
    workspaces: Memberships.default([]),
  }),
  status: 201,
  data: z.union([
    z.strictObject({ is: z.literal('invited'), invitation: Invitation, ...Link.shape }),
    z.strictObject({ is: z.literal('added'), user_id: Id, email: Email }),
  ]),
})

export const revokeInvitation = operation({
  ...dashboardAddresses.revokeInvitation,
  tag,
  summary: 'Revoke an invitation; its link is worth nothing any more',
  params: ById,
  data: z.strictObject({ invitation_id: Id, revoked: z.literal(true) }),
})

export const readInvitation = operation({
  ...dashboardAddresses.readInvitation,
  tag,
  summary: 'What a link is for, before it is used',
  body: z.strictObject({ token: Token }),
  data: z.strictObject({
    is: z.enum(['invitation', 'password']),
    email: Email,
    workspaces: z.array(z.strictObject({ name: WorkspaceName, role: Role })),
    owner: z.boolean(),
    expires_at: Timestamp,
  }),
})

export const acceptInvitation = operation({
  ...dashboardAddresses.acceptInvitation,
  tag,
  summary: 'Use a link once: choose a password, with a name if it is an invitation, and be signed in',
  body: z.strictObject({ token: Token, name: PersonName.optional(), password: Password }),
  status: 201,
  data: Session,
})
