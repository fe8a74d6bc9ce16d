// A simulated call for an assistant: placed in the sandbox, waited for, and told with its transcript.
import { NewCall, Variables } from '@parley/contract'
import { z } from 'zod'
import { committed } from '../../http/work.ts'
import type { Asking, AssistantParts } from './asking.ts'
import type { Answer } from './results.ts'
import { transcriptText } from './transcript-text.ts'

/** The numbers of the sandbox that are people, or what people meet. */
export const characters = {
  talkative: { number: '+15550100', about: 'answers what is asked' },
  interrupting: { number: '+15550107', about: 'interrupts a lot' },
  noisy: { number: '+15550108', about: 'stands in a noisy street' },
  waiting: { number: '+15550109', about: 'says hello and waits' },
  silent: { number: '+15550106', about: 'says nothing' },
  leaving: { number: '+15550105', about: 'hangs up in the middle of a sentence' },
  voicemail: { number: '+15550104', about: 'a voicemail box' },
  screening: { number: '+15550110', about: 'a service asks for a name and a reason first' },
} as const

type Character = keyof typeof characters

export const simulationInput = {
  character: z
    .enum(Object.keys(characters) as [Character, ...Character[]])
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
  { workspaceId, signal, tell }: Asking,
): Promise<Answer> {
  const wish = {
    ...{ agent_id, variables, to_phone_number: characters[character].number },
    metadata: { simulation: character, sandbox: { ring_ms: 0, ...(lines && scriptOf(lines)) } },
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

/** Each line when the agent has spoken and is quiet; a script that is through hangs up. */
const scriptOf = (lines: readonly string[]) => ({
  steps: [...lines.map((say) => ({ say })), { wait_for: 'agent_done', hang_up: true, after_ms: 300 }],
})
