// Creates the call of an arrival by telephone and claims it for this process, or says why there is none. A number that
// leads to no agent leaves no row: scanners dial thousands.
import { type Db, type Queries, statement } from '../../../platform/db/db.ts'
import { isId, newId } from '../../../platform/ids.ts'
import type { CalledNumber } from '../../../ports/arrival.ts'
import {
  type ClaimedCall,
  initiated,
  type Limits,
  lockWorkspace,
  noteFullWorkspace,
  roomInWorkspace,
  roomOnNumber,
} from './backlog.ts'
import type { JoinOutcome } from './join-call.ts'

// The call is for the number that was called or the agent whose id was called, else for the number whose trunk it
// came through. A number that is inactive is not answered, also not by the trunk's own agent.
const byTrunk = statement(`
  SELECT a.workspace_id, a.agent_id, coalesce(called.phone_number_id, trunk.phone_number_id) AS phone_number_id
  FROM phone_numbers trunk
  LEFT JOIN phone_numbers called ON called.workspace_id = trunk.workspace_id AND called.phone_number = $2
  LEFT JOIN agents direct ON direct.agent_id = $3 AND direct.workspace_id = trunk.workspace_id
  JOIN agents a ON a.workspace_id = trunk.workspace_id AND a.status = 'active'
    AND a.agent_id = coalesce(called.inbound_agent_id, direct.agent_id, trunk.inbound_agent_id)
  WHERE trunk.phone_number_id = $1 AND trunk.status = 'active' AND coalesce(called.status, 'active') = 'active'`)

// A workspace that is being deleted receives no calls.
const byAgent = statement(`
  SELECT workspace_id, agent_id, NULL::uuid AS phone_number_id FROM agents JOIN workspaces USING (workspace_id)
  WHERE agent_id = $1 AND status = 'active' AND closed_at IS NULL`)

const create = statement(`
  WITH claimed AS (
    INSERT INTO calls (session_id, workspace_id, agent_id, call_type, to_phone_number, from_phone_number, call_status,
      provider, phone_number_id, variables, claimed_by, agent_version, call_initiated_time)
    SELECT $1, a.workspace_id, a.agent_id, 'inbound', $5, $6, 'initiated', $7, $4, $8, $9, a.version, now()
    FROM agents a LEFT JOIN phone_numbers n ON n.phone_number_id = $4
    WHERE a.agent_id = $3 AND a.workspace_id = $2 AND a.status = 'active'
      AND ${roomInWorkspace('$2', '$10')} > 0
      AND ($4::uuid IS NULL OR ${roomOnNumber('n', 'n.phone_number', '$2', '$11')} > 0)
    RETURNING *
  ), queued AS (
    INSERT INTO call_events (session_id, seq, type, data)
    SELECT session_id, 1, 'status', '{"call_status":"queued","sandbox":false}' FROM claimed
  ), ${initiated}`)

interface AnsweringAgent {
  workspace_id: string
  agent_id: string
  phone_number_id: string | null
}

export interface ArrivalClaim extends Limits {
  readonly claimantId: number
}

export function receiveCall(db: Db, key: CalledNumber, receiving: ArrivalClaim): Promise<JoinOutcome> {
  const { called, caller, provider, variables } = key
  const { claimantId, perWorkspace, perNumber } = receiving
  return db.transaction(async (tx) => {
    const answering = await find(tx, key)
    if (!answering) return { is: 'unknown' }
    await tx.rows(lockWorkspace, [answering.workspace_id])
    const call = await tx.row<ClaimedCall>(create, [
      ...[newId(), answering.workspace_id, answering.agent_id, answering.phone_number_id],
      ...[called, caller, provider, JSON.stringify(variables), claimantId, perWorkspace, perNumber],
    ])
    if (call) return { is: 'claimed', call }
    if (!(await find(tx, key))) return { is: 'unknown' }
    await noteFullWorkspace(tx, answering.workspace_id, perWorkspace)
    return { is: 'full' }
  })
}

function find(tx: Queries, { trunkId, called }: CalledNumber): Promise<AnsweringAgent | undefined> {
  const agentId = isId(called) ? called : null
  if (trunkId !== null) return tx.row<AnsweringAgent>(byTrunk, [trunkId, called, agentId])
  return agentId === null ? Promise.resolve(undefined) : tx.row<AnsweringAgent>(byAgent, [agentId])
}
