// Calls that try a configuration before it is saved, with a browser or with somebody of the sandbox. The
// configuration is kept beside the call until it has been used, sealed like that of an agent, and is in no list of
// agents.
import { type dashboard, linePath, sandboxCharacters, scriptOfLines } from '@parley/contract'
import { fail } from '../../http/failure.ts'
import type { Work } from '../../http/work.ts'
import { type Queries, statement, type Write } from '../../platform/db/db.ts'
import { newId, randomBase62 } from '../../platform/ids.ts'
import { sha256 } from '../../platform/secrets.ts'
import { type Draft, sealedSecretsOf } from '../agents/agents.ts'
import type { Outbound } from '../phone-numbers/phone-numbers.ts'
import { mustHaveRoomToday } from '../usage/usage.ts'
import { mustKeepTime } from './queue/overload.ts'
import { iceServersFor, type TurnRelay } from './queue/turn-credentials.ts'
import { insertUnjoined, insertWaiting, isSandbox } from './store.ts'

export interface DraftCallParts {
  readonly db: Queries
  readonly outbound: Outbound
  readonly browserUrl?: string | undefined
  readonly joinSeconds: number
  readonly isOverloaded: () => boolean
  /** Undefined: there is no relay for browsers. */
  readonly turn?: TurnRelay | undefined
}

export const sealedDrafts = sealedSecretsOf('call_drafts', {
  primaryKey: ['session_id'],
  place: '(SELECT c.agent_id FROM calls c WHERE c.session_id = t.session_id)',
  workspace: 'SELECT c.workspace_id FROM calls c WHERE c.session_id = t.session_id',
})

const insert = statement('INSERT INTO call_drafts (session_id, config, secrets) VALUES ($1, $2, $3)')

// A call is claimed within seconds and analysed within minutes; one that waits for its workspace's next day is kept.
const prune = statement(`
  DELETE FROM call_drafts d USING calls c
  WHERE c.session_id = d.session_id AND c.finished AND d.created_at < now() - interval '1 day'`)

export const pruneDrafts = (db: Queries) => db.rows(prune)

const insertDraft = (sessionId: string, { config, sealed }: Draft): Write => ({
  statement: insert,
  values: [sessionId, JSON.stringify(config), sealed],
})

/** The line has to be the sandbox's, so that nobody is really called by mistake. */
const sandboxLine = async (outbound: Outbound, workspaceId: string, agentId: string, to: string) => {
  const wish = { phoneNumberId: null, from: null, agentId, agentNumberId: null }
  const line = (await outbound(workspaceId)).lineFor(to, wish)
  return isSandbox(line)
    ? { ...line, to }
    : fail('NO_LINE_TO_NUMBER', { message: 'The sandbox is switched off here.' })
}

export const draftCalls = ({
  db,
  outbound,
  browserUrl,
  joinSeconds,
  turn,
  isOverloaded,
}: DraftCallParts) => ({
  /** `origin` is the URL through which the client reached us. */
  async place(
    workspaceId: string,
    draft: Draft,
    trial: dashboard.Trial,
    origin: string,
    work: Work,
  ): Promise<dashboard.DraftCall> {
    mustKeepTime(isOverloaded)
    await mustHaveRoomToday(db, workspaceId)
    const { agentId, warnings } = draft
    const at = new Date()
    const call = { sessionId: newId(), workspaceId, agentId, variables: trial.variables, isDraft: true, at }
    const answer = { session_id: call.sessionId, warnings: [...warnings] }
    if (trial.character != null) {
      const line = await sandboxLine(
        outbound,
        workspaceId,
        agentId,
        sandboxCharacters[trial.character].number,
      )
      const sandbox = { ring_ms: 0, ...(trial.lines && scriptOfLines(trial.lines)) }
      const metadata = { simulation: trial.character, sandbox }
      const waiting = { ...call, ...line, metadata, status: 'queued' as const, scheduledAt: null }
      for (const write of insertWaiting({ ...waiting, overrides: undefined })) work.add(write)
      work.add(insertDraft(call.sessionId, draft))
      return { ...answer, join: null }
    }
    const token = `web_${randomBase62(40)}`
    const joinBy = new Date(at.getTime() + joinSeconds * 1000)
    const unjoined = { ...call, metadata: undefined, tokenHash: sha256(token), joinBy }
    for (const write of insertUnjoined(unjoined)) work.add(write)
    work.add(insertDraft(call.sessionId, draft))
    const url = (browserUrl ?? origin).replace(/^http/, 'ws') + linePath
    const ice_servers = iceServersFor(turn, call.sessionId, at)
    return { ...answer, join: { url, token, expires_at: joinBy.toISOString(), ice_servers } }
  },
})

export type DraftCalls = ReturnType<typeof draftCalls>
