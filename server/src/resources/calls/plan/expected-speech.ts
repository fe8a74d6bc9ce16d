// What the active agents will hear and speak with that no vendor does for them: those engines are loaded before a call comes.
import { CalledAgent } from '@parley/contract'
import { credentialNameOf } from '@parley/contract/companies'
import type { Config } from '../../../platform/config.ts'
import { type Queries, statement } from '../../../platform/db/db.ts'
import { readSynthesizer, readTranscriber } from './read-speech.ts'

/** What an agent needs of the offline engines; a part that is undefined is a vendor's. */
export interface ExpectedSpeech {
  readonly transcriber: { readonly asked: string | null; readonly language: string | undefined } | undefined
  readonly synthesizer:
    | {
        readonly voice: string | undefined
        readonly voiceId: string | undefined
        readonly language: string | undefined
      }
    | undefined
}

// Enough to tell which agents are called, and how often.
const latestCalls = 1_000
// There are fewer engines than this many agents could need.
const mostAgents = 50

const activeAgents = statement(`
  SELECT a.config::text AS agent, array(SELECT vendor FROM vendor_credentials c WHERE c.workspace_id = a.workspace_id) AS vendors
  FROM agents a JOIN workspaces w USING (workspace_id) LEFT JOIN (
    SELECT agent_id, count(*) AS calls
    FROM (SELECT agent_id FROM calls ORDER BY session_id DESC LIMIT ${latestCalls}) latest GROUP BY agent_id
  ) used USING (agent_id)
  WHERE a.status = 'active' AND w.closed_at IS NULL
  ORDER BY used.calls DESC NULLS LAST, a.updated_at DESC, a.agent_id LIMIT ${mostAgents}`)

/** Of the agents that are called most, in that order. */
export async function expectedSpeech(
  db: Queries,
  { vendorAccounts, engineFallback }: Pick<Config, 'vendorAccounts' | 'engineFallback'>,
): Promise<readonly ExpectedSpeech[]> {
  const agents = await db.rows<{ agent: string; vendors: readonly string[] }>(activeAgents)
  return agents.flatMap(({ agent: stored, vendors }) => {
    const agent = CalledAgent.safeParse(JSON.parse(stored)).data
    if (!agent) return []
    const isVendors = (asked: string | null) => {
      if (asked === null) return false
      const name = credentialNameOf(asked)
      return engineFallback === 'fail' || vendors.includes(name) || vendorAccounts[name] !== undefined
    }
    const hears = readTranscriber(agent, [])
    const speaks = readSynthesizer(agent, [])
    const { voice, voiceId, language } = speaks
    return [
      {
        transcriber: isVendors(hears.asked) ? undefined : { asked: hears.asked, language: hears.language },
        synthesizer: isVendors(speaks.asked) ? undefined : { voice, voiceId, language },
      },
    ]
  })
}
