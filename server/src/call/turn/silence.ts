// Prolonged silence: ask once whether the caller is there, and finally hang up.
import { endings } from './endings.ts'
import { leave } from './leave.ts'
import { after, type Concern, dropped, isApart, say, type Turn } from './turn-state.ts'

/**
 * Counts the silence that only words end: noise, music and echoes have none. Neither the agent's own speech nor a hold
 * nor the wait for a machine counts as silence.
 */
export const countQuiet = (turn: Turn, passedMs: number): Turn =>
  turn.agent.is === 'speaking' || turn.life.is !== 'talking' || isApart(turn) || turn.answerer.awaits !== null
    ? turn
    : { ...turn, quiet: { ...turn.quiet, ms: turn.quiet.ms + passedMs } }

export const wordsCame = (turn: Turn): Turn => ({ ...turn, quiet: { ms: 0, asked: false } })

// After both have said goodbye, a caller with something to add does so at once.
const partedMs = 4_000

export const longSilence: Concern = (turn, rules) => {
  const { quiet } = turn
  if (turn.agent.is === 'speaking') return undefined
  if (turn.hasParted && quiet.ms >= partedMs)
    return leave(turn, endings.conversationOver, rules, { words: '' })
  if (quiet.ms >= rules.hangUpAfterSilenceMs) return leave(turn, endings.silence, rules)
  if (quiet.asked || quiet.ms < rules.askIfThereAfterMs || !rules.sayings.areYouThere) return undefined
  const asking = { ...turn, quiet: { ...quiet, asked: true } }
  return after(dropped(turn), say(asking, 'are-you-there', rules.sayings.areYouThere))
}
