// Calls that try a configuration of an agent before it is saved. Only the dashboard has them.
import { z } from 'zod'
import { trialAddresses } from '../addresses.ts'
import { AgentPatch } from '../agents/agent.ts'
import { CalledAgent } from '../agents/agent-config.ts'
import { operation } from '../operation.ts'
import { type SandboxCharacter, sandboxCharacters } from '../sandbox-characters.ts'
import { Id, listOf, Text, Timestamp } from '../words.ts'
import { Variables } from './call.ts'
import { IceServers } from './web-call.ts'

const tag = 'Dashboard'

const Character = z.enum(Object.keys(sandboxCharacters) as [SandboxCharacter, ...SandboxCharacter[]])

const trial = {
  variables: Variables.optional().describe(
    "Values of the `{placeholders}` in the agent's texts. Left out: none.",
  ),
  character: Character.nullish().describe(
    'Somebody of the sandbox, whom the agent calls. Left out or null: a browser joins the call.',
  ),
  lines: z
    .array(z.string().trim().min(1).max(500))
    .min(1)
    .max(20)
    .nullish()
    .describe(
      'What the character says, one line after each answer, before hanging up. Left out or null: as it is by nature.',
    ),
}
const Trial = z.object(trial)
export type Trial = z.infer<typeof Trial>

const DraftCall = z
  .strictObject({
    session_id: Id.describe('Names the call in every other request. Its record says `draft: true`.'),
    join: z
      .strictObject({
        url: Text.describe('The WebSocket that the browser opens; the token is its first message.'),
        token: Text.describe('Lets one browser in, once.'),
        expires_at: Timestamp.describe('A browser that has not joined by then is too late.'),
        ice_servers: IceServers,
      })
      .nullable()
      .describe('What a browser needs to join. null: a simulated person is called.'),
    warnings: listOf(z.strictObject({ path: Text, message: Text })).describe(
      'Secrets that the call goes without, because their host changed, and languages that another engine serves or that are not known here.',
    ),
  })
  .describe('A call that tries a configuration.')
export type DraftCall = z.infer<typeof DraftCall>

export const tryAgent = operation({
  ...trialAddresses.tryAgent,
  tag,
  summary: 'Call an agent as it would be with changes that are not saved',
  params: z.strictObject({ id: Id }),
  body: z.strictObject({ agent_config: AgentPatch.describe('What would change.'), ...trial }),
  status: 201,
  data: DraftCall,
})

export const tryNewAgent = operation({
  ...trialAddresses.tryNewAgent,
  tag,
  summary: 'Call an agent that does not exist yet',
  body: z.strictObject({ agent_config: CalledAgent.describe('The agent.'), ...trial }),
  status: 201,
  data: DraftCall,
})
