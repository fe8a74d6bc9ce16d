// A scenario in YAML: the agent, what the callee does, and what must be heard.
import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'

const ms = () => z.int().min(0)
/** Counted from 1: the first sound of the caller, the second … */
const nth = () => z.int().min(1)
const texts = () => z.array(z.string()).default([])

const Must = z.strictObject({
  status: z.enum(['completed', 'busy', 'no-answer', 'failed', 'canceled']).default('completed'),
  hangup_reason: z.string(),
  answered_by: z.enum(['human', 'voicemail', 'ivr', 'screening', 'unavailable', 'unknown']).optional(),
  /** The outcome of the transfer. */
  transfer: z.enum(['completed', 'busy', 'no-answer', 'declined', 'failed']).optional(),
  /** From the answer to the agent's first sound. */
  greeting_within_ms: ms().optional(),
  /** Transcribed from its channel of the recording, in this order. */
  agent_says: texts(),
  agent_never_says: texts(),
  /** In the caller's transcript, in this order. */
  caller_is_understood: texts(),
  /** In the agent's transcript. */
  transcript_has: texts(),
  transcript_lacks: texts(),
  /** From the caller's last sound to the agent's first, at every turn. */
  max_gap_ms: ms().optional(),
  agent_silent_within_ms_of: z.strictObject({ caller_start: nth(), ms: ms() }).optional(),
  /** Continues its sentence after the caller's sound. */
  agent_resumes_within_ms_of: z.strictObject({ caller_end: nth(), ms: ms() }).optional(),
  /** The agent is silent from the first of these sounds of the caller to the last. */
  no_cut_between: z.tuple([nth(), nth()]).optional(),
  /** The total time in which both are heard. */
  max_overlap_ms: ms().optional(),
  max_clicks: z.int().min(0).default(0),
  /** The level on the agent's side while it says nothing. */
  agent_background_db: z.tuple([z.number(), z.number()]).optional(),
  lasts_ms: z.tuple([ms(), ms()]).optional(),
})

/** What the model says, or a tool of the call that it uses. */
const Answer = z.union([
  z.string(),
  z.strictObject({ transfer_to: z.string() }),
  z.strictObject({ press: z.string(), says: z.string() }),
])
export type Answer = z.output<typeof Answer>

const Scenario = z.strictObject({
  about: z.string(),
  /** A known defect: the scenario must fail, so that this line is removed when the defect is fixed. */
  open: z.string().optional(),
  agent: z.strictObject({
    welcome: z.string().optional(),
    /** The model's answers to the caller's first turn, second turn …; the last one repeats. */
    answers: z.array(Answer).min(1).default(['All right.']),
    /** `api_tools.telephone` and the destinations of `call_transfer_config`. */
    telephone: z.record(z.string(), z.unknown()).default({}),
    destinations: z.array(z.record(z.string(), z.unknown())).default([]),
    transcriber: z.record(z.string(), z.unknown()).optional(),
    task_config: z.record(z.string(), z.unknown()).default({}),
  }),
  to: z.string().default('+15550100'),
  sandbox: z.record(z.string(), z.unknown()).optional(),
  /** The call is stopped from outside after this time. */
  stop_after_ms: ms().default(20_000),
  /** By level, or by the voice detector if there is background noise. */
  hear_caller_by: z.enum(['level', 'voice']).default('level'),
  hear_agent_by: z.enum(['level', 'voice']).default('level'),
  must: Must,
})

export type Scenario = z.output<typeof Scenario> & { readonly name: string }
export type Must = z.output<typeof Must>

export function readScenarios(folder: URL): Scenario[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => {
      const parsed = Scenario.safeParse(parse(readFileSync(new URL(file, folder), 'utf8')))
      if (!parsed.success) throw new Error(`${file}: ${z.prettifyError(parsed.error)}`)
      return { name: file.slice(0, -'.yaml'.length), ...parsed.data }
    })
}
