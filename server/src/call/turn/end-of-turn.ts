// Decides when the caller has finished: by silence, and by whether the words sound complete.
import type { TurnRules } from '../../ports/call-plan.ts'
import type { TurnLanguageCode } from './languages/index.ts'
import { type Act, type Concern, speaking, type Turn, type TurnStep, turnStep } from './turn-state.ts'
import { answered, lastHeardMs, nothingHeard, spokenSpan, wordsOfCaller } from './utterance.ts'
import { isGoodbye, perLanguage, sameWords, wordsOf } from './word-list.ts'

// Longer than a stop inside a word; a transcriber needs half a second from here, so that it finishes with the turn.
const askFinalAfterMs = 160
// The final has arrived within this time, or the words so far are used.
const finalWithinMs = 1_800
// A short "yes" arrives only as a final. A voice without words by this time was a noise.
const noiseAfterMs = 1_500
// The voice of hold music or a street never ends; it is ignored once no word has come for this long.
const endlessVoiceMs = 3_000
// A word that is going to change does so within this time.
const stableMs = 150
const aheadAfterMs = 200
// This much is enough to recognise a machine; what people say later does not count.
const mostEarlier = 400

export const askForFinal: Concern = (turn) => {
  const { caller, nowMs } = turn
  const heard = caller.startMs !== null || caller.partial !== ''
  if (!heard || caller.finalAsked || caller.voice.is === 'speaking') return undefined
  // A paused agent asks at once, to learn whether it was interrupted.
  const isPaused = turn.agent.is === 'speaking' && turn.agent.sound.is === 'paused'
  if (!isPaused && nowMs - lastHeardMs(caller) < askFinalAfterMs) return undefined
  return turnStep({ ...turn, caller: { ...caller, finalAsked: true } }, { do: 'ask-final' })
}

type Verdict = 'open' | 'noise' | 'ahead' | 'done'

/** Judges the caller's side only. */
export function judgeTurn({ caller, nowMs, language }: Turn, rules: TurnRules): Verdict {
  const words = wordsOfCaller(caller)
  const { keys } = caller
  if (keys.pressed !== '')
    return keys.areComplete || nowMs - keys.atMs >= rules.keys.pauseMs ? 'done' : 'open'
  if (caller.isTyped) return 'done'
  if (caller.voice.is === 'speaking') {
    const endless = words !== '' && nowMs - Math.max(caller.wordsMs, caller.voice.sinceMs) >= endlessVoiceMs
    return endless ? 'done' : 'open'
  }
  const silenceMs = nowMs - lastHeardMs(caller)
  if (words === '') return caller.startMs !== null && silenceMs >= noiseAfterMs ? 'noise' : 'open'
  const certain = caller.partial === '' && !caller.wordsDue
  const unfinished = looksUnfinished(words, language)
  const neededMs = rules.endpointingMs + (unfinished ? rules.unfinishedMs : 0)
  if (silenceMs >= neededMs && (certain || silenceMs >= finalWithinMs)) return 'done'
  const stable = certain || nowMs - caller.wordsMs >= stableMs
  return stable && silenceMs >= (unfinished ? rules.endpointingMs : aheadAfterMs) ? 'ahead' : 'open'
}

/** Discards a reply made ahead to words that have changed since. */
export const dropOutdated: Concern = (turn) => {
  const { agent, caller } = turn
  if (agent.is !== 'preparing' || sameWords(agent.words, wordsOfCaller(caller))) return undefined
  return turnStep({ ...turn, agent: { is: 'listening' } }, { do: 'discard', generation: agent.generation })
}

/** Gives the turn to the agent, or lets it prepare a reply ahead. */
export const endOfTurn: Concern = (turn, rules) => {
  const { caller, agent, nowMs } = turn
  if (agent.is === 'speaking') return undefined
  switch (judgeTurn(turn, rules)) {
    case 'open':
      return undefined
    case 'noise':
      return turnStep({
        ...turn,
        caller: { ...nothingHeard, voice: caller.voice, wordless: spokenSpan(caller) },
      })
    case 'ahead':
      return rules.thinkAhead && agent.is === 'listening' ? thinkAhead(turn) : undefined
    case 'done':
      return nowMs < turn.backoffUntilMs ? undefined : take(turn)
  }
}

function thinkAhead(turn: Turn): TurnStep {
  const words = wordsOfCaller(turn.caller)
  const generation = turn.generation + 1
  const agent = { is: 'preparing', generation, words, failed: false } as const
  return turnStep({ ...turn, generation, agent }, { do: 'think', generation, words, ahead: true })
}

function take(turn: Turn): TurnStep {
  const { caller, agent, nowMs } = turn
  const words = wordsOfCaller(caller)
  const { startMs, endMs } = spokenSpan(caller)
  const ready = agent.is === 'preparing' && !agent.failed
  const generation = ready ? agent.generation : turn.generation + 1
  const acts: readonly Act[] = [
    { do: 'hear', generation, words, startMs, endMs, wordsMs: caller.wordsMs },
    ...(agent.is === 'preparing' && agent.failed
      ? [{ do: 'discard', generation: agent.generation } as const]
      : []),
    ready ? { do: 'confirm', generation } : { do: 'think', generation, words, ahead: false },
  ]
  const after = {
    ...turn,
    generation: Math.max(generation, turn.generation),
    caller: answered(caller, nowMs),
    turnsTaken: turn.turnsTaken + 1,
    hasParted: isGoodbye(words, turn.language),
    answerer: { ...turn.answerer, earlier: `${turn.answerer.earlier} ${words}`.trim().slice(0, mostEarlier) },
    agent: speaking('reply', generation, nowMs),
  }
  return turnStep(after, ...acts)
}

const listed = (words: string): ReadonlySet<string> => new Set(words.split(' ').filter(Boolean))

const rules = perLanguage(({ unfinished: { dangling, complete, open }, dictation }) => ({
  dangling: listed(dangling),
  complete,
  open,
  ones: listed(dictation.ones),
  pairs: listed(dictation.pairs),
  joins: listed(dictation.joins),
  wholeFigures: dictation.wholeFigures,
}))

type Rules = (typeof rules)[TurnLanguageCode]

// One or two figures are an answer ("two", "it's 42"); three in a row are the beginning of a number.
const beginsNumber = 3

const figuresIn = (word: string, { ones, pairs }: Rules): number => {
  if (/^\p{Nd}+$/u.test(word)) return word.length
  if (pairs.has(word)) return 2
  return ones.has(word) ? 1 : 0
}

/** How many dictated figures end the text. */
function trailingFigures(words: readonly string[], own: Rules): number {
  let figures = 0
  let later: 'one' | 'join' | undefined
  for (const word of words.toReversed()) {
    const count = figuresIn(word, own)
    if (count === 0 && !(own.joins.has(word) && later === 'one')) break
    // "treinta y cuatro": the figure before belongs to the pair.
    const isPair = own.pairs.has(word)
    figures += isPair && later !== undefined ? count - 1 : count
    if (count === 0) later = 'join'
    else later = !isPair && count === 1 ? 'one' : undefined
  }
  return figures
}

export function looksUnfinished(text: string, language: TurnLanguageCode): boolean {
  const words = wordsOf(text)
  const last = words.at(-1)
  if (last === undefined) return false
  const trimmed = text.trim()
  // The transcriber itself wrote a comma, a dash or an ellipsis.
  if (/(?:,|-|–|—|:|\.\.\.|…|、|，)$/.test(trimmed)) return true
  const own = rules[language]
  const figures = trailingFigures(words, own)
  if (figures > 0) return figures >= beginsNumber && figures < own.wholeFigures
  if (/[?!？！]$/.test(trimmed)) return false
  const plain = words.join(' ')
  if (own.open?.test(plain)) return true
  return own.dangling.has(last) && !own.complete?.test(plain)
}
