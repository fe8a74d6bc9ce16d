// Claims the call of an arrival by its token for this process, or says why it cannot.
import { type Db, statement } from '../../../platform/db/db.ts'
import { sha256 } from '../../../platform/secrets.ts'
import type { Admission } from '../../../ports/arrival.ts'
import {
  type ClaimedCall,
  initiated,
  lockWorkspace,
  noteFullWorkspace,
  roomInWorkspace,
  versionOfAgent,
} from './backlog.ts'

export type JoinOutcome =
  | { readonly is: 'claimed'; readonly call: ClaimedCall }
  | Exclude<Admission, { readonly is: 'in' }>

const workspaceOfToken = statement('SELECT workspace_id FROM calls WHERE join_token = $1 AND join_by > now()')

// The claim clears the token, so only one of two arrivals joins.
const claim = statement(`
  WITH claimed AS (
    UPDATE calls SET claimed_by = $1, join_token = NULL, join_by = NULL, call_status = 'initiated',
      call_initiated_time = now(), agent_version = ${versionOfAgent('calls')}, updated_at = now()
    WHERE join_token = $2 AND join_by > now() AND ${roomInWorkspace('$3', '$4')} > 0
    RETURNING *
  ), ${initiated}`)

export function joinCall(
  db: Db,
  token: string,
  { claimantId, perWorkspace }: { claimantId: number; perWorkspace: number },
): Promise<JoinOutcome> {
  const hash = sha256(token)
  return db.transaction(async (tx) => {
    const owner = await tx.row<{ workspace_id: string }>(workspaceOfToken, [hash])
    if (!owner) return { is: 'unknown' }
    await tx.rows(lockWorkspace, [owner.workspace_id])
    const call = await tx.row<ClaimedCall>(claim, [claimantId, hash, owner.workspace_id, perWorkspace])
    if (call) return { is: 'claimed', call }
    if (!(await tx.row(workspaceOfToken, [hash]))) return { is: 'unknown' }
    await noteFullWorkspace(tx, owner.workspace_id, perWorkspace)
    return { is: 'full' }
  })
}
