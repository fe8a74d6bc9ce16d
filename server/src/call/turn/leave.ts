// Leaving a conversation: the farewell, if there is one, and then the end.
import type { TurnRules } from '../../ports/call-plan.ts'
import type { Ending } from './endings.ts'
import { after, dropped, isApart, type Turn, type TurnStep, turnStep } from './turn-state.ts'

// A farewell is a sentence or two. If it takes longer, it is not being said or not being heard.
const farewellMs = 10_000

export const end = (turn: Turn, ending: Ending): TurnStep =>
  turnStep({ ...turn, life: { is: 'over' }, agent: { is: 'listening' } }, { do: 'end', ending })

export interface LastWords {
  readonly words: string
  /** The longest time that the last words may take. */
  readonly withinMs?: number
}

/** Discards what the agent was saying; says the last words instead if the caller can hear them, then ends the call. */
export function leave(turn: Turn, ending: Ending, rules: TurnRules, last?: LastWords): TurnStep {
  const { words, withinMs = farewellMs } = last ?? { words: rules.sayings.farewell }
  if (!words || isApart(turn)) return after(dropped(turn), end(turn, ending))
  const generation = turn.generation + 1
  return turnStep(
    {
      ...turn,
      generation,
      agent: { is: 'listening' },
      life: { is: 'leaving', ending, generation, byMs: turn.nowMs + withinMs },
    },
    ...dropped(turn),
    { do: 'say', generation, what: 'farewell', text: words, held: false },
  )
}
