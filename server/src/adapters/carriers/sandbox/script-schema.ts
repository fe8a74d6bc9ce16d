// The script of a callee as it is written in `metadata.sandbox`, and how it is read. Closed: what we do not know we refuse.
import { z } from 'zod'
import { isKeys } from '../../../media/dtmf.ts'
import type { Plan, Step, What, When } from './script.ts'

const ms = () => z.int().min(0).max(600_000)
const levelDb = () => z.number().min(-80).max(0)

const what = {
  say: z.string().min(1).max(2_000).optional(),
  sound: z.string().min(1).max(100).optional(),
  /** Of a sound: it begins again until then, or is cut. */
  for_ms: ms().optional(),
  press: z
    .string()
    .min(1)
    .max(100)
    .refine(isKeys, 'has keys that no telephone has; there are 0-9, *, # and A-D')
    .optional(),
  hang_up: z.literal(true).optional(),
}

const WrittenStep = z.strictObject({
  wait_for: z.literal('agent_done').optional(),
  when_agent_says: z.string().min(1).max(200).optional(),
  after_ms: ms().optional(),
  ...what,
  stay_silent_ms: ms().optional(),
  while_agent_speaks: z.strictObject({ after_ms: ms().default(0), ...what }).optional(),
})
type WrittenStep = z.input<typeof WrittenStep>
type ReadStep = z.output<typeof WrittenStep>

const WrittenScript = z.strictObject({
  outcome: z.enum(['answer', 'busy', 'no_answer', 'failed']).default('answer'),
  ring_ms: ms().default(300),
  voice: z.string().min(1).max(100).optional(),
  noise: z.strictObject({ track: z.string().min(1).max(100), level_db: levelDb().default(-30) }).optional(),
  echo: z
    .strictObject({ delay_ms: z.int().min(20).max(1_000).default(120), level_db: levelDb().default(-30) })
    .optional(),
  steps: z.array(WrittenStep).max(200).default([]),
  afterwards: z.enum(['talk', 'silence', 'repeat']).optional(),
})
export type WrittenScript = z.input<typeof WrittenScript>

export interface Script extends Plan {
  readonly outcome: 'answer' | 'busy' | 'no_answer' | 'failed'
  readonly ringMs: number
  readonly voice: string | null
  readonly noise: { readonly track: string; readonly levelDb: number } | null
  readonly echo: { readonly delayMs: number; readonly levelDb: number } | null
}

/** The sentence may be shown to whoever placed the call. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError'
}

/** `sounds` are the names that a step may play. */
export function readScript(written: unknown, sounds: ReadonlySet<string>): Script {
  const parsed = WrittenScript.safeParse(written)
  if (!parsed.success) throw new ScriptError(`metadata.sandbox cannot be played: ${faults(parsed.error)}`)
  const { outcome, ring_ms, voice, noise, echo, steps, afterwards } = parsed.data
  return {
    outcome,
    ringMs: ring_ms,
    voice: voice ?? null,
    noise: noise ? { track: noise.track, levelDb: noise.level_db } : null,
    echo: echo ? { delayMs: echo.delay_ms, levelDb: echo.level_db } : null,
    steps: steps.map((step, place) => readStep(step, place, sounds)),
    // Who has a script says what is in it and no more.
    afterwards: afterwards ?? (steps.length === 0 ? 'talk' : 'silence'),
  }
}

function readStep(step: ReadStep, place: number, sounds: ReadonlySet<string>): Step {
  const refuse = (why: string) => new ScriptError(`metadata.sandbox cannot be played: steps[${place}] ${why}`)
  const { while_agent_speaks: into, ...rest } = step
  const acts = [...whatsOf(rest), ...(into ? whatsOf(into) : [])]
  const [act] = acts
  if (!act || acts.length > 1)
    throw refuse('needs exactly one of say, sound, press, stay_silent_ms and hang_up')
  if (into && (Object.keys(rest).length > 0 || act.do === 'stay-silent'))
    throw refuse('has while_agent_speaks, which stands alone and holds what is done')
  if (step.wait_for && step.when_agent_says) throw refuse('has both wait_for and when_agent_says')
  if ((into ?? rest).for_ms !== undefined && act.do !== 'sound') throw refuse('has for_ms without a sound')
  if (act.do === 'sound' && !sounds.has(act.name))
    throw refuse(`names the sound '${act.name}'; there are ${[...sounds].join(', ')}`)
  return { when: into ? { of: 'agent-speaks', afterMs: into.after_ms } : whenOf(rest, act), what: act }
}

/** Without a word about it: who speaks waits for the agent, unless a pause is given. */
function whenOf({ wait_for, when_agent_says, after_ms }: WrittenStep, act: What): When {
  const afterMs = after_ms ?? 0
  if (when_agent_says) return { of: 'agent-says', words: when_agent_says, afterMs }
  if (wait_for) return { of: 'agent-done', afterMs }
  const atOnce = after_ms !== undefined || act.do === 'stay-silent' || act.do === 'hang-up'
  return atOnce ? { of: 'now', afterMs } : { of: 'agent-done', afterMs }
}

function whatsOf(written: Omit<WrittenStep, 'while_agent_speaks'>): What[] {
  const { say, sound, for_ms, press, stay_silent_ms, hang_up } = written
  return [
    ...(say === undefined ? [] : [{ do: 'say', text: say } as const]),
    ...(sound === undefined ? [] : [{ do: 'sound', name: sound, forMs: for_ms ?? null } as const]),
    ...(press === undefined ? [] : [{ do: 'press', keys: press } as const]),
    ...(stay_silent_ms === undefined ? [] : [{ do: 'stay-silent', ms: stay_silent_ms } as const]),
    ...(hang_up === undefined ? [] : [{ do: 'hang-up' } as const]),
  ]
}

function faults(error: z.ZodError): string {
  return error.issues
    .slice(0, 5)
    .map(({ path, message }) => {
      const place = path.reduce<string>(
        (name, part) =>
          typeof part === 'number' ? `${name}[${part}]` : name ? `${name}.${String(part)}` : String(part),
        '',
      )
      return place ? `${place}: ${message}` : message
    })
    .join('; ')
}
