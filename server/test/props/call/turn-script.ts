// Feeds a script of events and pauses to the turn reducer, and records its acts.
import { AgentConfig } from '@parley/contract'
import { newTurn, takeTurn } from '../../../src/call/turn/turn.ts'
import type { Act, Turn, TurnEvent } from '../../../src/call/turn/turn-state.ts'
import { frameMs } from '../../../src/media/frame.ts'
import type { TurnRules } from '../../../src/ports/call-plan.ts'
import { readTelephone } from '../../../src/resources/calls/plan/read-telephone.ts'
import { turnRules } from '../../../src/resources/calls/plan/turn-rules.ts'

/** A number is a pause in milliseconds, tick by tick. */
export type Script = readonly (TurnEvent | number)[]

export const plainRules: TurnRules = {
  ...turnRules(AgentConfig.parse({ agent_name: 'Test', llm_agent: {} }), (text) => text, {
    telephone: readTelephone(undefined).telephone,
    isOutbound: true,
  }),
  thinkAhead: false,
}

const written = (act: Act): readonly string[] => {
  switch (act.do) {
    case 'note':
      return []
    case 'say':
      return [`say ${act.what}${act.held ? ' (held)' : ''}`]
    case 'think':
      return [`think ${act.generation}${act.ahead ? ' ahead' : ''}`]
    case 'hear':
    case 'correct':
      return [`${act.do} "${act.words}"`]
    case 'end':
      return [`end ${act.ending.status} ${act.ending.by} ${act.ending.reason}`]
    case 'confirm':
    case 'discard':
    case 'fill':
    case 'judge':
      return [`${act.do} ${act.generation}`]
    default:
      return [act.do]
  }
}

export function play(script: Script, rules: Partial<TurnRules> = {}, from: Turn = newTurn(0)) {
  const all = { ...plainRules, ...rules }
  const acts: Act[] = []
  let turn = from
  const take = (event: TurnEvent) => {
    const next = takeTurn(turn, event, all)
    turn = next.turn
    acts.push(...next.acts)
  }
  for (const step of script)
    if (typeof step !== 'number') take(timed(step, turn.nowMs))
    else for (let ms = 0; ms < step; ms += frameMs) take({ type: 'tick', nowMs: turn.nowMs + frameMs })
  return { turn, acts, written: acts.flatMap(written) }
}

/** NaN stands for now. */
const timed = (event: TurnEvent, nowMs: number): TurnEvent =>
  'atMs' in event && Number.isNaN(event.atMs) ? { ...event, atMs: nowMs } : event

export const voice: TurnEvent = { type: 'voice-start', atMs: Number.NaN, sure: false }
export const hush: TurnEvent = { type: 'voice-end', atMs: Number.NaN }
export const partial = (text: string): TurnEvent => ({ type: 'partial', text })
export const final = (text: string): TurnEvent => ({ type: 'final', text })
/** From now on a turn detection says when the caller has finished. */
export const detecting = (isEager: boolean, longestSilenceMs: number): TurnEvent => ({
  type: 'turn-detection',
  detection: { isEager, longestSilenceMs },
})
export const undetected: TurnEvent = { type: 'turn-detection', detection: null }
export const end = (is: 'likely' | 'withdrawn' | 'certain'): TurnEvent => ({ type: 'end-of-turn', is })
export const began = (generation: number): TurnEvent => ({ type: 'began', generation })
export const drained = (generation: number): TurnEvent => ({ type: 'drained', generation })
export const failed = (generation: number, isFinal = false): TurnEvent => ({
  type: 'reply-failed',
  generation,
  error: 'It broke.',
  isFinal,
})
export const answered: Script = [{ type: 'dialled' }, { type: 'answered' }]
