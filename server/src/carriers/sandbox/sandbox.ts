// A carrier without a network: a simulated, scripted person answers and talks, over real 20 ms frames.
//
// The number selects the behaviour (numbers.ts), `metadata.sandbox` overrides it (script-schema.ts).
import type { RateHz } from '../../media/frame.ts'
import type { Ticker } from '../../platform/clock/ticker.ts'
import type { Carrier, Dialler, DialOrder, LineAbilities } from '../../ports/line.ts'
import type { CalleeParts } from './callee.ts'
import { simulatedCodecs } from './codec.ts'
import { SandboxLine } from './line.ts'
import { scriptOfNumber } from './numbers.ts'
import { readScript, type Script, ScriptError } from './script-schema.ts'
import { type MakeSound, ownSounds } from './sounds.ts'

export interface SandboxOptions
  extends Pick<CalleeParts, 'synthesizer' | 'transcriber' | 'detector' | 'noise'> {
  readonly ticker: Pick<Ticker, 'add'>
  /** The callee's voice; different from the agent's, so that the two can be told apart. */
  readonly voice: string
  readonly rateHz?: 8_000 | 16_000
  /** Additional sounds that scripts may name. */
  readonly sounds?: Readonly<Record<string, MakeSound>>
}

const usualRateHz = 8_000

const abilitiesAt = (rateHz: RateHz): LineAbilities => ({
  digits: true,
  hold: true,
  transfers: ['blind', 'bridged'],
  earlyMedia: true,
  codecs: simulatedCodecs.map((name) => ({ name, rateHz })),
})

export const sandboxAbilities = abilitiesAt(usualRateHz)

export function sandboxCarrier(options: SandboxOptions): Carrier & Dialler {
  const rateHz: RateHz = options.rateHz ?? usualRateHz
  const can = abilitiesAt(rateHz)
  const sounds = oncePerRate({ ...ownSounds, ...options.sounds })
  const parts: CalleeParts = { ...options, rateHz, sounds }
  const names = new Set(Object.keys(sounds))
  return {
    dial: (call, listener) =>
      new SandboxLine(
        {
          parts,
          can,
          ticker: options.ticker,
          callSid: `sandbox-${call.sessionId}`,
          script: () => scriptOf(call, names),
          scriptOfTarget: (to, given) => readScript({ ...scriptOfNumber(to), ...asObject(given) }, names),
        },
        listener,
      ),
    close() {},
  }
}

function scriptOf({ to, metadata }: DialOrder, sounds: ReadonlySet<string>): Script {
  const given = isObject(metadata) ? metadata.sandbox : undefined
  if (given !== undefined && !isObject(given))
    throw new ScriptError('metadata.sandbox cannot be played: it is not an object')
  return readScript({ ...scriptOfNumber(to), ...given }, sounds)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const asObject = (value: unknown): object => (isObject(value) ? value : {})

/** A sound is rendered when first played, then cached. */
function oncePerRate(makers: Readonly<Record<string, MakeSound>>): Readonly<Record<string, MakeSound>> {
  const made = new Map<string, Int16Array>()
  return Object.fromEntries(
    Object.entries(makers).map(([name, make]) => [
      name,
      (rateHz: RateHz) => {
        const key = `${name} ${rateHz}`
        const sound = made.get(key) ?? make(rateHz)
        made.set(key, sound)
        return sound
      },
    ]),
  )
}
