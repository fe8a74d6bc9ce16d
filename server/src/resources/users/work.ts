// What a worker does for users: it deletes what has expired.
export { pruneInvitations } from './invitation-store.ts'
export { pruneSessions } from './session-store.ts'
