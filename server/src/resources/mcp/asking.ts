// What the tools of an assistant are given.

import { Failure } from '../../http/failure.ts'
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
  /** Reports progress to an assistant that wants to know. */
  readonly tell: (progress: number, message: string) => Promise<void>
}

interface McpResult {
  [key: string]: unknown
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
}

export type McpAnswer = string | Readonly<Record<string, unknown>>

export async function resultOf(run: () => Promise<McpAnswer>): Promise<McpResult> {
  try {
    const answer = await run()
    if (typeof answer === 'string') return { content: [{ type: 'text', text: answer }] }
    return {
      content: [{ type: 'text', text: JSON.stringify(answer, null, 1) }],
      structuredContent: { ...answer },
    }
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500) throw error
    const details = error.details.map(({ path, message }) => `${path}: ${message}`)
    const text = [`${error.code}: ${error.message}`, ...details].join('\n')
    return { content: [{ type: 'text', text }], isError: true }
  }
}
