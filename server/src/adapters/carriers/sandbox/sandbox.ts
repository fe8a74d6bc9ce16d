// A carrier that calls nobody: a simulated person with a voice, ears and a script answers, over real 20 ms frames.
//
// The number says what happens (numbers.ts), `metadata.sandbox` what is different this time (script-schema.ts).
import type { RateHz } from '../../../media/frame.ts'
import type { Ticker } from '../../../platform/clock/ticker.ts'
import type { Carrier, Dialling, Line, LineEvent, LineListener } from '../../../ports/line.ts'
import { Callee, type CalleeParts } from './callee.ts'
import { scriptOfNumber } from './numbers.ts'
import { readScript, type Script, ScriptError } from './script-schema.ts'
import { type MakeSound, ownSounds } from './sounds.ts'

export interface SandboxOptions
  extends Pick<CalleeParts, 'synthesizer' | 'transcriber' | 'detector' | 'noise'> {
  readonly ticker: Pick<Ticker, 'add'>
  /** The callee's; another than the agent's, so that one can tell them apart. */
  readonly voice: string
  readonly rateHz?: 8_000 | 16_000
  /** More sounds than its own, for scripts to name. */
  readonly sounds?: Readonly<Record<string, MakeSound>>
}

type State =
  | { readonly is: 'dialling' }
  | { readonly is: 'ringing'; readonly script: Script; readonly untilMs: number }
  | { readonly is: 'talking'; readonly callee: Callee }
  | { readonly is: 'over' }

export function sandboxCarrier(options: SandboxOptions): Carrier {
  const rateHz: RateHz = options.rateHz ?? 8_000
  const sounds = oncePerRate({ ...ownSounds, ...options.sounds })
  const parts: CalleeParts = { ...options, rateHz, sounds }
  return { name: 'sandbox', dial: (call, listener) => dial(call, listener, parts, options.ticker) }
}

function dial(call: Dialling, listener: LineListener, parts: CalleeParts, ticker: Pick<Ticker, 'add'>): Line {
  let state: State = { is: 'dialling' }

  const stop = () => {
    if (state.is === 'talking') state.callee.leave()
    state = { is: 'over' }
    subscription.end()
  }
  const end = (event: Extract<LineEvent, { type: 'ended' }>) => {
    if (state.is === 'over') return
    stop()
    listener.onEvent(event)
  }
  const fail = (reason: string) => end({ type: 'ended', cause: 'failed', reason })

  const answer = (script: Script, nowMs: number) => {
    const callee = new Callee(
      script,
      parts,
      {
        onFrame: (frame) => listener.onFrame(frame),
        onDigit: (digit) => listener.onEvent({ type: 'digit', digit }),
        onHangUp: () => end({ type: 'ended', cause: 'hangup' }),
        onFailure: (reason) => fail(`The sandbox callee gave up: ${reason}`),
      },
      nowMs,
    )
    state = { is: 'talking', callee }
    listener.onEvent({ type: 'answered' })
  }

  const ring = (nowMs: number) => {
    const script = scriptOf(call, parts)
    state = { is: 'ringing', script, untilMs: nowMs + script.ringMs }
    if (script.outcome === 'answer' || script.outcome === 'no_answer') listener.onEvent({ type: 'ringing' })
  }

  const conclude = (script: Script, nowMs: number) => {
    if (script.outcome === 'answer') answer(script, nowMs)
    else if (script.outcome === 'busy') end({ type: 'ended', cause: 'busy' })
    else if (script.outcome === 'no_answer') end({ type: 'ended', cause: 'no-answer' })
    else fail('The sandbox line failed, as its number or script asks for.')
  }

  /** Must not throw: one call would silence the others. */
  const onTick = (nowMs: number) => {
    try {
      if (state.is === 'dialling') ring(nowMs)
      else if (state.is === 'talking') state.callee.tick(nowMs)
      else if (state.is === 'ringing' && nowMs >= state.untilMs) conclude(state.script, nowMs)
    } catch (error) {
      fail(error instanceof ScriptError ? error.message : `The sandbox line broke: ${String(error)}`)
    }
  }
  const subscription = ticker.add(onTick)

  return {
    rateHz: parts.rateHz,
    callSid: `sandbox-${call.sessionId}`,
    send(frame) {
      if (state.is === 'talking') state.callee.hear(frame)
    },
    hangUp: () => {
      if (state.is !== 'over') stop()
    },
  }
}

function scriptOf({ to, metadata }: Dialling, { sounds }: CalleeParts): Script {
  const given = isObject(metadata) ? metadata.sandbox : undefined
  if (given !== undefined && !isObject(given))
    throw new ScriptError('metadata.sandbox cannot be played: it is not an object')
  return readScript({ ...scriptOfNumber(to), ...given }, new Set(Object.keys(sounds)))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A sound is made when it is first played, and then kept. */
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
