// The agent and the caller temporarily cannot hear each other: a hold, a transfer. Silence does not count, nothing is said.
import { endings, lineEnding } from './endings.ts'
import { end } from './leave.ts'
import {
  type Act,
  after,
  isApart,
  type LineCommand,
  say,
  type Turn,
  type TurnEvent,
  type TurnStep,
  turnStep,
} from './turn-state.ts'

type Apart = Turn['apart']

function part(turn: Turn, change: Partial<Apart>, ...acts: readonly Act[]): TurnStep {
  const next: Turn = { ...turn, apart: { ...turn.apart, ...change } }
  // Time that the caller spends away is not the agent's latency.
  return isApart(turn) ? turnStep(next, ...acts) : turnStep(next, { do: 'forget-latency' }, ...acts)
}

/** Brings the two together again. The caller's last words are answered now: their silence starts here. */
function rejoin(turn: Turn, change: Partial<Apart>, ...acts: readonly Act[]): TurnStep {
  const next: Turn = { ...turn, apart: { ...turn.apart, ...change } }
  if (isApart(next) || !isApart(turn)) return turnStep(next, ...acts)
  const { caller, nowMs } = turn
  const voice = caller.voice.is === 'quiet' ? { ...caller.voice, sinceMs: nowMs } : caller.voice
  return turnStep({ ...next, caller: { ...caller, voice, wordsMs: nowMs } }, ...acts)
}

export function noteHold(turn: Turn, { type }: Extract<TurnEvent, { type: 'held' | 'resumed' }>): TurnStep {
  const { life } = turn
  if (life.is === 'leaving' && type === 'held') return end(turn, life.ending)
  if (life.is !== 'talking' || turn.apart.heldByThem === (type === 'held')) return turnStep(turn)
  return type === 'held'
    ? part(turn, { heldByThem: true }, { do: 'note', note: 'The other side put the call on hold.' })
    : rejoin(turn, { heldByThem: false }, { do: 'note', note: 'The other side took the call off hold.' })
}

export function noteCommand(turn: Turn, id: number, command: LineCommand): TurnStep {
  const why = refusal(turn)
  if (why) return turnStep(turn, { do: 'refuse-command', id, why })
  switch (command.do) {
    case 'send-digits':
      return turnStep(turn, { ...command, id })
    case 'hold':
      return command.on
        ? part(turn, { heldByUs: true }, { ...command, id })
        : turnStep(turn, { ...command, id })
    case 'transfer': {
      const { to, mode } = command.request
      const note = `The call is being transferred to ${to} (${mode}).`
      return part(turn, { transfer: 'under-way' }, { do: 'note', note }, { ...command, id })
    }
  }
}

function refusal({ life, apart }: Turn): string | undefined {
  if (life.is !== 'talking') return 'The call is not answered yet, or is ending.'
  return apart.transfer === 'none' ? undefined : 'The call is being transferred.'
}

/** `on`: the resulting state, whether or not the command changed it. */
export const noteOwnHold = (turn: Turn, on: boolean): TurnStep =>
  on ? part(turn, { heldByUs: true }) : rejoin(turn, { heldByUs: false })

export const beginTransfer = (turn: Turn, destination: number): TurnStep =>
  turn.apart.transfer === 'none'
    ? part(turn, { transfer: 'under-way' }, { do: 'transfer-to', destination })
    : turnStep(turn)

export function noteTransfer(
  turn: Turn,
  { result, words }: Extract<TurnEvent, { type: 'transfer-ended' }>,
): TurnStep {
  if (turn.life.is !== 'talking' || turn.apart.transfer !== 'under-way') return turnStep(turn)
  switch (result.is) {
    case 'completed':
      return end(turn, endings.transferred)
    case 'bridged':
      return part(
        turn,
        { transfer: 'bridged' },
        { do: 'note', note: 'The target of the transfer has joined.' },
      )
    case 'failed':
      return comeBack(
        rejoin(turn, { transfer: 'none' }, { do: 'note', note: `The transfer failed: ${result.reason}` }),
        words,
      )
  }
}

/** Returns to the caller after a failed transfer: the caller is told, and the conversation goes on. */
function comeBack({ turn, acts }: TurnStep, words: string | undefined): TurnStep {
  if (!words || isApart(turn) || turn.agent.is !== 'listening') return turnStep(turn, ...acts)
  return after(acts, say(turn, 'notice', words))
}

/** When two connected people hang up, the transfer is complete. */
export function noteLineEnd(
  turn: Turn,
  { cause, error }: Extract<TurnEvent, { type: 'line-ended' }>,
): TurnStep {
  const { life, apart } = turn
  if (life.is === 'leaving') return end(turn, life.ending)
  if (apart.transfer === 'bridged' && cause !== 'failed') return end(turn, endings.transferred)
  return end(turn, lineEnding(cause, life.is === 'talking', error))
}
