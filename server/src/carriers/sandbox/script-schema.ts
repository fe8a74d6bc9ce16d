// The script of a callee as written in `metadata.sandbox`, and its parser. Strict: unknown keys are refused.
import { measured } from '@parley/contract/measured'
import { z } from 'zod'
import { isKeys } from '../../media/dtmf.ts'
import type { CarrierCause } from '../../ports/line.ts'
import type { FailedOutcome } from './causes.ts'
import { type SimulatedCodec, simulatedCodecs } from './codec.ts'
import type { Plan, ScriptStep, What, When } from './script.ts'

const ms = () => z.int().min(0).max(600_000)
const levelDb = () => z.number().min(-80).max(0)

const digits = () =>
  z.string().min(1).max(100).refine(isKeys, 'has keys that no telephone has; there are 0-9, *, # and A-D')

const what = {
  say: z.string().min(1).max(2_000).optional(),
  sound: z.string().min(1).max(100).optional(),
  /** The length that a sound is looped or cut to. */
  for_ms: ms().optional(),
  press: digits().optional(),
  hold_ms: ms().optional(),
  /** The sound during a hold. Absent: silence. */
  hold_sound: z.string().min(1).max(100).optional(),
  switch_codec: z.enum(simulatedCodecs).optional(),
  hang_up: z.literal(true).optional(),
}

const WrittenStep = z.strictObject({
  wait_for: z.literal('agent_done').optional(),
  when_agent_says: z.string().min(1).max(200).optional(),
  when_digits: digits().optional(),
  after_ms: ms().optional(),
  ...what,
  stay_silent_ms: ms().optional(),
  while_agent_speaks: z.strictObject({ after_ms: ms().default(0), ...what }).optional(),
})
type WrittenStep = z.input<typeof WrittenStep>
type ReadStep = z.output<typeof WrittenStep>

const WrittenTarget = z.strictObject({
  outcome: z
    .enum(['answer', 'busy', 'no_answer', 'rejected', 'unreachable', 'no_trunk', 'failed'])
    .default('answer'),
  ring_ms: ms().default(300),
  voice: z.string().min(1).max(100).optional(),
  noise: z.strictObject({ track: z.string().min(1).max(100), level_db: levelDb().default(-30) }).optional(),
  echo: z
    .strictObject({ delay_ms: z.int().min(20).max(1_000).default(120), level_db: levelDb().default(-30) })
    .optional(),
  steps: z.array(WrittenStep).max(200).default([]),
  afterwards: z.enum(['talk', 'silence', 'repeat']).optional(),
  codec: z.enum(simulatedCodecs).default('L16'),
  /** The sound while it rings; exactly one of the two. */
  early_media: z
    .union([
      z.strictObject({ say: z.string().min(1).max(2_000) }),
      z.strictObject({ sound: z.string().min(1).max(100) }),
    ])
    .optional(),
  /** Why the call was not answered, instead of the outcome's default cause. */
  cause: z
    .strictObject({
      protocol: z.string().min(1).max(20).default('q850'),
      code: z.union([z.int().min(0).max(999), z.string().min(1).max(40)]),
      text: z.string().max(200).default(''),
    })
    .optional(),
})

const WrittenScript = measured(
  WrittenTarget.extend({
    /** When the agent transfers the call: refuse, or overrides for the target. */
    transfer: z
      .union([
        z.strictObject({ refuse: z.literal(true) }),
        z.strictObject({ target: WrittenTarget.partial() }),
      ])
      .optional(),
  }),
)
export type WrittenScript = z.input<typeof WrittenScript>

export interface Script extends Plan {
  readonly outcome: 'answer' | FailedOutcome
  readonly ringMs: number
  readonly voice: string | null
  readonly noise: { readonly track: string; readonly levelDb: number } | null
  readonly echo: { readonly delayMs: number; readonly levelDb: number } | null
  readonly codec: SimulatedCodec
  readonly earlyMedia: Extract<What, { do: 'say' | 'sound' }> | null
  /** null: the default cause of the outcome. */
  readonly cause: CarrierCause | null
  /** Overrides the behaviour of the target's number, key by key. */
  readonly transfer: { readonly refused: boolean; readonly target: unknown }
}

/** The sentence may be shown to the client that placed the call. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError'
}

/** `sounds`: the names that a step may play. */
export function readScript(written: unknown, sounds: ReadonlySet<string>): Script {
  const parsed = WrittenScript.safeParse(written)
  if (!parsed.success) throw new ScriptError(`metadata.sandbox cannot be played: ${faults(parsed.error)}`)
  const { outcome, ring_ms, voice, noise, echo, steps, afterwards, codec, cause } = parsed.data
  return {
    codec,
    cause: cause ?? null,
    earlyMedia: earlyMediaOf(parsed.data, sounds),
    transfer: transferOf(parsed.data, sounds),
    outcome,
    ringMs: ring_ms,
    voice: voice ?? null,
    noise: noise ? { track: noise.track, levelDb: noise.level_db } : null,
    echo: echo ? { delayMs: echo.delay_ms, levelDb: echo.level_db } : null,
    steps: steps.map((step, place) => readStep(step, place, sounds)),
    // A callee with a script says its steps and nothing else.
    afterwards: afterwards ?? (steps.length === 0 ? 'talk' : 'silence'),
  }
}

type ReadScript = z.output<typeof WrittenScript>

function earlyMediaOf({ early_media: early, ring_ms }: ReadScript, sounds: ReadonlySet<string>) {
  if (!early) return null
  if ('say' in early) return { do: 'say', text: early.say } as const
  mustBeSound(early.sound, sounds, 'early_media')
  return { do: 'sound', name: early.sound, forMs: ring_ms } as const
}

/** Parses the target here, so that a mistake in it is reported before the call is placed. */
function transferOf({ transfer }: ReadScript, sounds: ReadonlySet<string>): Script['transfer'] {
  if (!transfer) return { refused: false, target: {} }
  if ('refuse' in transfer) return { refused: true, target: {} }
  readScript(transfer.target, sounds)
  return { refused: false, target: transfer.target }
}

function mustBeSound(name: string, sounds: ReadonlySet<string>, place: string): void {
  if (!sounds.has(name))
    throw new ScriptError(
      `metadata.sandbox cannot be played: ${place} names the sound '${name}'; there are ${[...sounds].join(', ')}`,
    )
}

function readStep(step: ReadStep, place: number, sounds: ReadonlySet<string>): ScriptStep {
  const refuse = (why: string) => new ScriptError(`metadata.sandbox cannot be played: steps[${place}] ${why}`)
  const { while_agent_speaks: into, ...rest } = step
  const acts = [...whatsOf(rest), ...(into ? whatsOf(into) : [])]
  const [act] = acts
  if (!act || acts.length > 1)
    throw refuse('needs exactly one of say, sound, press, stay_silent_ms, hold_ms, switch_codec and hang_up')
  if (into && (Object.keys(rest).length > 0 || act.do === 'stay-silent'))
    throw refuse('has while_agent_speaks, which stands alone and holds what is done')
  const waits = [step.wait_for, step.when_agent_says, step.when_digits].filter(Boolean)
  if (waits.length > 1) throw refuse('has more than one of wait_for, when_agent_says and when_digits')
  if ((into ?? rest).hold_sound !== undefined && act.do !== 'hold')
    throw refuse('has hold_sound without hold_ms')
  if ((into ?? rest).for_ms !== undefined && act.do !== 'sound') throw refuse('has for_ms without a sound')
  if (act.do === 'sound') mustBeSound(act.name, sounds, `steps[${place}]`)
  if (act.do === 'hold' && act.sound !== null) mustBeSound(act.sound, sounds, `steps[${place}]`)
  return { when: into ? { of: 'agent-speaks', afterMs: into.after_ms } : whenOf(rest, act), what: act }
}

/** When a step runs. By default an audible step waits for the agent, unless a pause is given; the others run at once. */
function whenOf({ wait_for, when_agent_says, when_digits, after_ms }: WrittenStep, act: What): When {
  const afterMs = after_ms ?? 0
  if (when_agent_says) return { of: 'agent-says', words: when_agent_says, afterMs }
  if (when_digits) return { of: 'digits', digits: when_digits, afterMs }
  if (wait_for) return { of: 'agent-done', afterMs }
  const atOnce = after_ms !== undefined || unheard.has(act.do)
  return atOnce ? { of: 'now', afterMs } : { of: 'agent-done', afterMs }
}

const unheard: ReadonlySet<What['do']> = new Set(['stay-silent', 'hold', 'switch-codec', 'hang-up'])

function whatsOf(written: Omit<WrittenStep, 'while_agent_speaks'>): What[] {
  const { say, sound, for_ms, press, stay_silent_ms, hold_ms, hold_sound, switch_codec, hang_up } = written
  return [
    ...(say === undefined ? [] : [{ do: 'say', text: say } as const]),
    ...(sound === undefined ? [] : [{ do: 'sound', name: sound, forMs: for_ms ?? null } as const]),
    ...(press === undefined ? [] : [{ do: 'press', keys: press } as const]),
    ...(stay_silent_ms === undefined ? [] : [{ do: 'stay-silent', ms: stay_silent_ms } as const]),
    ...(hold_ms === undefined ? [] : [{ do: 'hold', ms: hold_ms, sound: hold_sound ?? null } as const]),
    ...(switch_codec === undefined ? [] : [{ do: 'switch-codec', codec: switch_codec } as const]),
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
