// What the tools of an assistant are given.
import type { Db } from '../../platform/db/db.ts'
import type { Agents } from '../agents/agents.ts'
import type { CallOperations } from '../calls/calls.ts'

/** An event of a call. */
export interface CallNews {
  readonly type: string
}

export interface AssistantParts {
  readonly db: Db
  readonly agents: Pick<Agents, 'list' | 'get'>
  readonly calls: Pick<CallOperations, 'place' | 'get' | 'list' | 'stop'>
  /** The events of a call until its last one. */
  readonly watch: (sessionId: string, signal: AbortSignal) => AsyncIterable<CallNews | undefined>
}

export interface AssistantRequest {
  readonly workspaceId: string
  /** Aborted when the assistant does not wait any longer. */
  readonly signal: AbortSignal
  /** How far it is, for an assistant that wants to know. */
  readonly tell: (progress: number, message: string) => Promise<void>
}
