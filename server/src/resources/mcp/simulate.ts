// A simulated call for an assistant: placed in the sandbox, waited for, and told with its transcript.
import { NewCall, type SandboxCharacter, sandboxCharacters, scriptOfLines, Variables } from '@parley/contract'
import { z } from 'zod'
import { committed } from '../../http/work.ts'
import type { AssistantParts, AssistantRequest, McpAnswer } from './asking.ts'
import { transcriptText } from './transcript-text.ts'

export const simulationInput = {
  character: z
    .enum(Object.keys(sandboxCharacters) as [SandboxCharacter, ...SandboxCharacter[]])
    .default('talkative')
    .describe('Whom the agent meets.'),
  lines: z
    .array(z.string().min(1).max(500))
    .min(1)
    .max(20)
    .optional()
    .describe('What the person says, one line after each answer, instead of what the character would.'),
  variables: Variables.optional(),
  wait_seconds: z
    .int()
    .min(1)
    .max(240)
    .default(50)
    .describe(
      'How long to wait for the end. A call that takes longer goes on; read_transcript has it later.',
    ),
}

type Simulation = z.output<z.ZodObject<typeof simulationInput>> & { readonly agent_id: string }

export async function simulate(
  { db, calls, watch }: AssistantParts,
  { agent_id, character, lines, variables, wait_seconds }: Simulation,
  { workspaceId, signal, tell }: AssistantRequest,
): Promise<McpAnswer> {
  const wish = {
    agent_id,
    variables,
    to_phone_number: sandboxCharacters[character].number,
    metadata: { simulation: character, sandbox: { ring_ms: 0, ...(lines && scriptOfLines(lines)) } },
  }
  const { session_id } = await committed(db, (work) => calls.place(workspaceId, NewCall.parse(wish), work))
  let said = 0
  const enough = AbortSignal.any([signal, AbortSignal.timeout(wait_seconds * 1_000)])
  for await (const news of watch(session_id, enough)) {
    if (news?.type === 'ended') break
    if (news?.type === 'transcript') await tell(++said, `${said} lines so far`)
  }
  const detail = await calls.get(workspaceId, session_id)
  const isOver = detail.call_completed_time !== null
  return {
    session_id,
    call_status: detail.call_status,
    is_over: isOver,
    duration: detail.duration,
    hangup_reason: detail.hangup_reason,
    error_message: detail.error_message,
    variables: detail.variables,
    transcript: transcriptText(detail),
    ...(!isOver && {
      note: 'The call goes on. Read it later with read_transcript, or end it with stop_call.',
    }),
  }
}
