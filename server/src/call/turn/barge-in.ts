// The caller speaks while the agent does: pause at once, then resume or give way, depending on what the voice turns out to be.
import type { TurnRules } from '../../ports/call-plan.ts'
import { type Concern, type SpeakingAgent, type Turn, turnStep } from './turn-state.ts'
import { wordsOfCaller } from './utterance.ts'
import { isBackchannel, isSalutation, isStopPhrase, wordsOf } from './word-list.ts'

// A transcriber that was asked at the end of the voice has its words within this time; a cough has none.
const noWordsAfterMs = 750
// Nobody speaks for this long without a word: it is street noise or music.
const wordlessVoiceMs = 2_000
// After a cough, or our own echo, the next voice must last a little before the agent stops for it.
const waryVoiceMs = 400
const waryForMs = 8_000

type Verdict = 'go on' | 'pause' | 'resume' | 'give way'

export function judgeOverlap(turn: Turn, speaking: SpeakingAgent, rules: TurnRules): Verdict {
  const { caller, nowMs } = turn
  const { sound } = speaking
  const begun = sound.is === 'playing' || (sound.is === 'paused' && sound.begun)
  // Before the first frame there is nothing to interrupt: the caller simply has not finished.
  const needed = begun ? rules.wordsToInterrupt : 1
  if (needed === 0) return 'go on'
  if (caller.keys.pressed !== '' || caller.isTyped) return 'give way'

  const words = wordsOfCaller(caller)
  const aside = isAside(words, turn, speaking)
  if (isStopPhrase(words, turn.language) || (wordsOf(words).length >= needed && !aside)) return 'give way'
  if (sound.is === 'paused') return isOver(turn, sound.sinceMs, aside) ? 'resume' : 'go on'

  const { voice } = caller
  const sinceMs = Math.max(
    sound.is === 'playing' ? sound.sinceMs : speaking.sinceMs,
    speaking.falseAlarmMs ?? 0,
  )
  // A voice that began earlier does not respond to what the agent says.
  if (needed > 1 || voice.is === 'quiet' || voice.sinceMs < sinceMs) return 'go on'
  const wary = !voice.sure && speaking.falseAlarmMs !== null && nowMs - speaking.falseAlarmMs < waryForMs
  return wary && nowMs - voice.sinceMs < waryVoiceMs ? 'go on' : 'pause'
}

/** Whether the words are a backchannel, or the "hello?" of a person who does not know yet that the agent speaks. */
const isAside = (words: string, { language }: Turn, { what }: SpeakingAgent): boolean =>
  isBackchannel(words, language) || (what === 'greeting' && isSalutation(words, language))

/** Whether the voice for which the agent paused had no words, or was a backchannel. */
function isOver({ caller, nowMs }: Turn, pausedMs: number, aside: boolean): boolean {
  if (caller.voice.is === 'speaking') return nowMs - pausedMs >= wordlessVoiceMs
  return aside || nowMs - caller.voice.sinceMs >= noWordsAfterMs
}

export const bargeIn: Concern = (turn, rules) => {
  const { agent, nowMs } = turn
  if (agent.is !== 'speaking') return undefined
  const { sound, generation } = agent
  switch (judgeOverlap(turn, agent, rules)) {
    case 'go on':
      return undefined
    case 'pause': {
      const paused = { is: 'paused', sinceMs: nowMs, begun: sound.is === 'playing' } as const
      return turnStep({ ...turn, agent: { ...agent, sound: paused } }, { do: 'pause' })
    }
    case 'resume': {
      const begun = sound.is === 'paused' && sound.begun
      const again: SpeakingAgent['sound'] = begun ? { is: 'playing', sinceMs: nowMs } : { is: 'coming' }
      return turnStep(
        { ...turn, agent: { ...agent, sound: again, falseAlarmMs: nowMs } },
        { do: 'resume' },
        { do: 'note', note: 'The agent went on after a sound that was no interruption.' },
      )
    }
    case 'give way': {
      const begun = sound.is === 'playing' || (sound.is === 'paused' && sound.begun)
      const hasAnswered = agent.what === 'reply' && agent.waits === null
      return turnStep(
        {
          ...turn,
          agent: { is: 'listening' },
          backoffUntilMs: begun ? nowMs + rules.backoffMs : 0,
          hasFailed: turn.hasFailed && !hasAnswered,
        },
        { do: 'discard', generation },
        { do: 'note', note: begun ? 'The caller interrupted the agent.' : 'The caller went on.' },
      )
    }
  }
}

// An answer that overlaps the end of a question: "Is that right?" - "Yes."
const overlapMs = 1_000

/** Backchannels in the middle of a long saying are not the caller's next turn. */
export const forgetBackchannels = (turn: Turn, speaking: SpeakingAgent): Turn => {
  const { caller, nowMs } = turn
  const words = wordsOfCaller(caller)
  const early = caller.wordsMs < nowMs - overlapMs
  if (!isAside(words, turn, speaking) || caller.isTyped || !early || caller.voice.is !== 'quiet') return turn
  // Somebody is on the line, even if nothing else is ever said.
  const answerer = { ...turn.answerer, earlier: `${turn.answerer.earlier} ${words}`.trim() }
  return { ...turn, answerer, caller: { ...caller, startMs: null, finals: '', partial: '' } }
}
